internal import Matter

// What `share` meets.

extension Explanation {
    init(_ error: SharingError) {
        switch error {
        case .unsupported:
            self.init(
                .unavailable, "it cannot be shared: it has no Administrator Commissioning",
                remedy: "remove it here, then add it elsewhere")
        case .isOpen(let vendor):
            let opener = vendor.map { ", opened by vendor \($0.text)" } ?? ""
            self.init(
                .busy, "it is open for others already\(opener)",
                remedy: "wait until that ends, or end it with share NODE --stop")
        case .busy:
            self.init(
                .busy, "another administrator is busy with it", remedy: "try again in a minute")
        case .refusedParameters:
            self.init(
                .protocolViolation, "it refuses the passcode that was made for it",
                remedy: Remedy.restartDevice)
        case .notOpen:
            self.init(
                .unavailable, "it is not open for others",
                remedy: "nothing is to be done; share NODE opens it")
        }
    }
}
