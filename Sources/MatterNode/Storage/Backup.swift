package import Base
package import Crypto
package import Matter

/// What a gateway keeps, at one moment.
package struct Backup: Sendable {
    /// Seconds since 1970, by the clock of that moment; 0 when that clock was not plausible.
    package var createdAt: Int64
    package var content: StoreContent

    package init(_ content: StoreContent, createdAt: Int64) {
        self.content = content
        self.createdAt = createdAt
    }

    /// The backup as a file, encrypted.
    /// - Parameter passphrase: who guesses it has the keys of every device; its owner has seen
    ///   to its length.
    /// - Throws: `tooLarge`.
    package func sealed(
        under passphrase: Secret, cost: Scrypt = .standard, using random: SharedRandom
    ) throws(BackupError) -> [UInt8] {
        let (plaintext, count) = try plaintext()
        let header = BackupHeader(
            cost: cost, salt: random.drawBytes(), nonce: random.drawBytes(),
            sealedBytes: count + AESGCM.tagBytes)
        let octets = header.octets
        var sealed = [UInt8](repeating: 0, count: header.sealedBytes)
        var span = sealed.mutableSpan
        header.cipher(passphrase).seal(
            plaintext.span.extracting(0..<count), nonce: header.nonce,
            authenticating: octets.span, into: &span)
        return octets + sealed
    }

    /// - Returns: the encoded content at the beginning of a secret, and how long it is.
    private func plaintext() throws(BackupError) -> (Secret, count: Int) {
        let coded = BackupContent(self)
        var capacity = 16 << 10
        while true {
            var count = 0
            do throws(TLVError) {
                let octets = try Secret(count: capacity) { octets throws(TLVError) in
                    count = try coded.write(to: &octets)
                }
                return (octets, count)
            } catch .full where capacity < BackupFile.bytesMax {
                capacity = min(2 * capacity, BackupFile.bytesMax)
            } catch { throw .tooLarge }
        }
    }
}

/// A file that says it is a backup; nothing of it is believed before it is opened.
///
/// It begins with a header in the clear: 8 octets of mark, version, scrypt's three parameters,
/// 4 octets of length, 16 of salt and 12 of nonce. Behind it is TLV under AES-256-GCM, whose
/// tag covers the header too.
package struct BackupFile: Sendable {
    /// Octets: what a store of the largest size has, as TLV.
    package static let bytesMax = 16 << 20

    private let header: BackupHeader
    private let bytes: [UInt8]

    /// Looks at the header alone, before anybody is asked for a passphrase.
    package init(_ bytes: [UInt8]) throws(BackupError) {
        header = try BackupHeader(bytes.span)
        self.bytes = bytes
    }

    /// Takes the time and memory that the header names, within `Scrypt`'s bounds.
    /// - Throws: `notOpened` for a wrong passphrase as for a changed file: nobody can tell the
    ///   one from the other. `malformed` and `fabric` for what was sealed and is wrong in itself.
    package func open(with passphrase: Secret) throws(BackupError) -> Backup {
        let authenticated = header.octets
        let cipher = header.cipher(passphrase)
        let sealed = bytes.span.extracting(BackupHeader.bytes..<bytes.count)
        let plaintext: Secret
        do throws(CryptoError) {
            plaintext = try Secret(
                count: header.sealedBytes - AESGCM.tagBytes
            ) { octets throws(CryptoError) in
                try cipher.open(
                    sealed, nonce: header.nonce, authenticating: authenticated.span,
                    into: &octets)
            }
        } catch { throw .notOpened }
        let backup: Backup
        do throws(TLVError) {
            backup = try BackupContent(tlv: plaintext.span).backup()
        } catch { throw .malformed(error) }
        do throws(FabricError) { _ = try Fabric(backup.content.fabric) } catch {
            throw .fabric(error)
        }
        return backup
    }
}

package enum BackupError: Error, Equatable {
    /// More than `BackupFile.bytesMax` octets.
    case tooLarge
    /// Another kind of file.
    case notABackup
    /// Written by a newer version of this program.
    case tooNew(version: UInt8)
    /// The file ends early, or goes on behind its end.
    case wrongLength
    /// The header asks for more memory or time than any backup of ours.
    case costOutOfBounds
    /// A wrong passphrase, or a file that was changed.
    case notOpened
    case malformed(TLVError)
    /// The fabric in it cannot be used.
    case fabric(FabricError)
}

/// What must be known before the rest can be opened.
private struct BackupHeader: Sendable {
    let cost: Scrypt
    let salt: FixedBytes<16>
    let nonce: FixedBytes<12>
    /// What follows the header, tag included.
    let sealedBytes: Int

    static let bytes = 44
    static let version: UInt8 = 1
    private static let mark = Array("MGBACKUP".utf8)

    init(cost: Scrypt, salt: FixedBytes<16>, nonce: FixedBytes<12>, sealedBytes: Int) {
        self.cost = cost
        self.salt = salt
        self.nonce = nonce
        self.sealedBytes = sealedBytes
    }

    /// - Parameter file: all of it.
    init(_ file: Span<UInt8>) throws(BackupError) {
        guard file.count <= BackupFile.bytesMax + Self.bytes + AESGCM.tagBytes else {
            throw .tooLarge
        }
        guard file.count >= Self.mark.count,
            file.extracting(0..<Self.mark.count).isEqual(to: Self.mark.span)
        else { throw .notABackup }
        guard file.count > Self.mark.count else { throw .wrongLength }
        let version = file[Self.mark.count]
        guard version > 0 else { throw .notABackup }
        guard version <= Self.version else { throw .tooNew(version: version) }
        guard file.count >= Self.bytes + AESGCM.tagBytes else { throw .wrongLength }
        var length = 0
        for index in 12..<16 { length = length << 8 | Int(file[index]) }
        guard length == file.count - Self.bytes else { throw .wrongLength }
        sealedBytes = length
        do throws(CryptoError) {
            cost = try Scrypt(
                log2Cost: file[9], blockSize: file[10], parallelization: file[11])
        } catch { throw .costOutOfBounds }
        salt = FixedBytes(copying: file.extracting(16..<32))
        nonce = FixedBytes(copying: file.extracting(32..<44))
    }

    var octets: [UInt8] {
        var octets = Self.mark + [Self.version]
        octets += [cost.log2Cost, cost.blockSize, cost.parallelization]
        for shift in [24, 16, 8, 0] {
            octets.append(UInt8(truncatingIfNeeded: sealedBytes >> shift))
        }
        for index in 0..<16 { octets.append(salt[index]) }
        for index in 0..<12 { octets.append(nonce[index]) }
        return octets
    }

    func cipher(_ passphrase: Secret) -> AESGCM {
        let salt = salt
        return AESGCM(
            key: cost.derive(
                passphrase: passphrase.span, salt: salt.span, count: AESGCM.keyBytes))
    }
}
