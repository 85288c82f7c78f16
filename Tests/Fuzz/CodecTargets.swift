import Base
import Crypto
import Matter

enum CodecTargets {
    static func tlv(_ input: [UInt8]) {
        walk(input)
        guard let element = try? EncodedElement(copying: input.span) else { return }
        _ = element.json
    }

    private static func walk(_ input: [UInt8]) {
        var reader = TLVReader(input.span)
        do throws(TLVError) {
            while let element = try reader.next() {
                // Asked of what is no number, too.
                _ = try? element.integer(as: Int.self)
            }
        } catch {}
        var skipping = TLVReader(input.span)
        do throws(TLVError) {
            while let element = try skipping.next() { try skipping.skip(element) }
        } catch {}
    }

    static func certificate(_ input: [UInt8]) {
        _ = try? MatterCertificate(tlv: input.span)
        _ = try? MatterCertificate(der: input.span)
        _ = try? SigningRequest(der: input.span)
        for role in [AttestationRole.authority, .intermediate, .device] {
            _ = try? AttestationCertificate(input.span, as: role)
        }
        var anchors = TrustAnchors()
        _ = try? anchors.add(authorities: input.span)
    }

    static func declaration(_ input: [UInt8]) {
        _ = try? CertificationDeclaration(content: input.span)
        _ = try? SignedDeclaration(cms: input.span)
    }

    static func payload(_ input: [UInt8]) {
        guard let payloads = try? SetupPayload.parse(input.span) else { return }
        for payload in payloads {
            guard let text = payload.qrText() else { continue }
            // What we print we read, and it says the same.
            let again = try? SetupPayload.parse(text.span)
            precondition(again?.count == 1 && again?[0].canBeSameDevice(as: payload) == true)
        }
    }

    static func dataset(_ input: [UInt8]) {
        _ = try? OperationalDataset(Secret(input.span))
        _ = try? OperationalDataset(hexadecimal: input.span)
    }
}
