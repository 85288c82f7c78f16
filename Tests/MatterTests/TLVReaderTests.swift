import Base
import Matter
import TestVectors
import Testing

@Suite("TLVReader")
struct TLVReaderTests {
    @Test("Appendix A: malformed input throws, none of it is accepted")
    func malformed() {
        for vector in TestVectors.load("tlv")["malformed"].array where !vector["hex"].hex.isEmpty {
            let bytes = vector["hex"].hex
            var error: TLVError?
            var reader = TLVReader(bytes.span)
            do throws(TLVError) {
                while try reader.next() != nil {}
            } catch let thrown { error = thrown }
            #expect(error != nil, "\(vector["why"].string)")
        }
    }
}
