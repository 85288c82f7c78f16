import Base
import Matter
import TestVectors

/// The public certificates by name.
enum CertificateVectors {
    static let all = TestVectors.load("certificates")["certs"].array

    static func vector(_ name: String) -> TestVectors.JSON {
        guard let vector = all.first(where: { $0["name"].string == name }) else {
            fatalError("no certificate \(name)")
        }
        return vector
    }

    static func certificate(_ name: String) throws -> MatterCertificate {
        try MatterCertificate(tlv: vector(name)["tlv"].hex.span)
    }

    /// The X.509 form, given or computed by whoever saved the vector.
    static func der(_ vector: TestVectors.JSON) -> [UInt8]? {
        (vector.optional("der") ?? vector.optional("der_computed"))?.hex
    }

    static func refusal(tlv bytes: [UInt8]) -> CertificateError? {
        do throws(CertificateError) {
            _ = try MatterCertificate(tlv: bytes.span)
            return nil
        } catch { return error }
    }

    static func refusal(der bytes: [UInt8]) -> CertificateError? {
        do throws(CertificateError) {
            _ = try MatterCertificate(der: bytes.span)
            return nil
        } catch { return error }
    }
}

extension MatterTime {
    /// Midnight at the start of a day.
    static func day(_ year: Int, _ month: Int, _ day: Int) -> MatterTime {
        var days = 0
        for past in 2000..<year { days += isLeap(past) ? 366 : 365 }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        days += lengths[..<(month - 1)].reduce(0, +) + day - 1
        return MatterTime(secondsSince2000: Int64(days) * 86_400)
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
