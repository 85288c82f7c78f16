internal import Base
internal import Crypto
internal import MatterNode

/// Commands on all that the gateway keeps.
extension CommandRunner {
    func backup(
        _ path: String, isForced: Bool, isConfirmed: Bool
    ) async throws(Explanation) -> Output {
        if !isForced, try await surroundings.exists(path) {
            throw Explanation(
                .notPermitted, "\(path) is there already", remedy: "name another, or use --force")
        }
        guard case .content(let content) = try content(surroundings.store()) else {
            throw Explanation(
                .notConfigured, "there is nothing to save yet",
                remedy: "add a device first: pair PAYLOAD")
        }
        if !isConfirmed {
            guard try await surroundings.confirm(KeepingOutput.question(saving: content, path))
            else {
                throw Explanation(
                    .usage, "nothing was saved",
                    remedy: "type the word that is shown, or use --yes")
            }
        }
        let backup = Backup(content, createdAt: surroundings.unixSeconds)
        let passphrase = try await newPassphrase()
        let bytes: [UInt8]
        do throws(BackupError) {
            bytes = try backup.sealed(under: passphrase, using: surroundings.random)
        } catch { throw Explanation(error) }
        try await surroundings.writeFile(bytes, to: path)
        return KeepingOutput.saved(backup, in: path, bytes: bytes.count)
    }

    func restore(
        _ path: String, isForced: Bool, isConfirmed: Bool
    ) async throws(Explanation) -> Output {
        let file: BackupFile
        let bytes = try await surroundings.readFile(path, limit: BackupFile.bytesMax)
        do throws(BackupError) { file = try BackupFile(bytes) } catch {
            throw Explanation(error).at(path)
        }
        let present = try surroundings.soundStore().map(content) ?? .damaged
        let passphrase = try await surroundings.readPassphrase("passphrase of the backup")
        let backup: Backup
        do throws(BackupError) { backup = try file.open(with: passphrase) } catch {
            throw Explanation(error).at(path)
        }
        try check(present, against: backup, isForced: isForced)
        if !isConfirmed {
            guard try await surroundings.confirm(KeepingOutput.question(path, backup, present))
            else {
                throw Explanation(
                    .usage, "nothing was restored",
                    remedy: "type the word that is shown, or use --yes")
            }
        }
        let aside = try put(backup)
        return KeepingOutput.restored(backup, aside: aside)
    }

    func factoryReset(isConfirmed: Bool) async throws(Explanation) -> Output {
        // The store is not held while it is erased.
        let present = try surroundings.soundStore().map(content) ?? .damaged
        if !isConfirmed {
            guard try await surroundings.confirm(KeepingOutput.question(erasing: present)) else {
                throw Explanation(
                    .usage, "nothing was erased",
                    remedy: "type the word that is shown, or use --yes")
            }
        }
        try surroundings.eraseStore()
        return KeepingOutput.erased(present)
    }

    // MARK: Parts

    /// What asks the store, with what a person reads when that fails.
    func stored<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(Explanation) -> Value {
        do throws(StoreError) { return try body() } catch { throw Explanation(error) }
    }

    private func content(_ store: any Store) throws(Explanation) -> PresentState {
        let content = try stored { () throws(StoreError) in try StoreContent(store) }
        return content.map { .content($0) } ?? .empty
    }

    /// Two fabrics on one gateway there cannot be, and a person may have taken the wrong file.
    private func check(
        _ present: PresentState, against backup: Backup, isForced: Bool
    ) throws(Explanation) {
        guard case .content(let content) = present, !isForced, !content.nodes.isEmpty else {
            return
        }
        let ours = content.fabric
        let theirs = backup.content.fabric
        guard ours.fabricID != theirs.fabricID || ours.rootCertificate != theirs.rootCertificate
        else { return }
        throw Explanation(
            .notPermitted,
            "this gateway has \(KeepingOutput.devices(content.nodes.count)) of another fabric,"
                + " which it would forget",
            remedy: "remove them first, or use --force")
    }

    private func put(_ backup: Backup) throws(Explanation) -> String? {
        let store: any Store
        var aside: String?
        if let sound = try surroundings.soundStore() {
            store = sound
        } else {
            let (new, damaged) = try surroundings.newStore()
            store = new
            aside = damaged
        }
        return try stored { () throws(StoreError) in
            let replaced = try store.replaceContent(with: backup.content)
            try store.note(
                .restored, nil, "restored \(KeepingOutput.description(backup))",
                at: surroundings.unixSeconds)
            return replaced ?? aside
        }
    }

    /// Asked for twice where nobody sees what they type.
    private func newPassphrase() async throws(Explanation) -> Secret {
        let passphrase = try await surroundings.readPassphrase("passphrase for the backup")
        let range = ConsoleLimits.passphraseBytes
        guard passphrase.count >= range.lowerBound else {
            throw Explanation(
                .malformedInput,
                "the passphrase is too short: whoever gets the file can try millions of short ones",
                remedy: "take at least \(range.lowerBound) characters, such as four words")
        }
        guard surroundings.hasTerminal else { return passphrase }
        guard try await surroundings.readPassphrase("the same again") == passphrase else {
            throw Explanation(
                .malformedInput, "the two passphrases are not the same", remedy: Remedy.tryAgain)
        }
        return passphrase
    }
}

/// What a store holds before it is replaced or erased.
enum PresentState {
    case content(StoreContent)
    /// No fabric yet.
    case empty
    case damaged

    /// Nil where nobody can tell.
    var devices: Int? {
        switch self {
        case .content(let content): content.nodes.count
        case .empty: 0
        case .damaged: nil
        }
    }
}
