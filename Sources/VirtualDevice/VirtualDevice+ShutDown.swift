internal import Matter

extension VirtualDevice {
    /// Ends as a program does: takes its services back, so that nobody looks for it in vain.
    package func shutDown() {
        run?.sayGoodbye()
        stop()
    }
}

extension DeviceRun {
    fileprivate func sayGoodbye() {
        for service in responder.published {
            responder.withdraw(service.instance, service.kind, at: now)
            flushResponder()
        }
    }
}
