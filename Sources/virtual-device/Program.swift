internal import Base
internal import Crypto
internal import Glibc
internal import LinuxIO
internal import Matter
internal import MatterNode
internal import VirtualDevice

/// A virtual device from its options to its end.
enum Program {
    nonisolated static func run(_ words: [[UInt8]]) -> Int32 {
        Signals.ignoreBrokenPipes()
        let options: DeviceOptions
        do throws(DeviceOptionsError) { options = try DeviceOptions.parse(words) } catch {
            StandardStreams.writeError("virtual-device: \(error.text)\n")
            return EX_USAGE
        }
        if options.wantsHelp {
            StandardStreams.writeOutput(DeviceOptions.usage)
            return EX_OK
        }
        do throws(StartError) {
            try run(options)
            return EX_OK
        } catch {
            StandardStreams.writeError("virtual-device: \(error.text)\n")
            return error.exitCode
        }
    }

    private nonisolated static func run(_ options: DeviceOptions) throws(StartError) {
        let poll = PollLoop()
        let wiring = try Wiring(options, poll: poll)
        let device = wiring.device
        let isAlone = options.types.count == 1
        let show = { (note: DeviceNote) in
            StandardStreams.writeOutput(note.text(isAlone: isAlone) + "\n")
        }
        showLabel(device.payload, port: wiring.port)
        // Whoever waits for READY finds the authority's file.
        var early: [DeviceNote] = []
        device.onNote = { early.append($0) }
        device.start()
        try wiring.writeAuthority(options)
        early.forEach(show)
        device.onNote = show
        let end = End()
        let console = DeviceConsole(device, link: wiring.link)
        let input = InputLines(on: poll) { line in
            let reply = console.take(line)
            StandardStreams.writeOutput(reply.text)
            if reply.isEnd { end.hasCome = true }
        }
        defer { input.stop() }
        let signals: Signals
        do throws(Errno) {
            signals = try Signals(on: poll) { _ in end.hasCome = true }
        } catch { throw .system(error) }
        defer { withExtendedLifetime(signals) {} }
        poll.run { end.hasCome }
        device.shutDown()
    }

    private nonisolated static func showLabel(_ payload: SetupPayload, port: UInt16) {
        var text = "port \(port)\n"
        if let code = payload.qrText() {
            let octets = [UInt8](code.span)
            text += "QR code \(String(decoding: octets, as: UTF8.self))\n"
            for line in Terminal.output.picture(of: octets) ?? [] { text += line + "\n" }
        }
        let manual = [UInt8](payload.manualCode().span)
        text += "manual code \(String(decoding: manual, as: UTF8.self))\n"
        StandardStreams.writeOutput(text)
    }
}

/// Set on the loop's thread, as everything.
private final class End {
    var hasCome = false
}

/// Why it could not even begin.
enum StartError: Error {
    case interface(InterfaceError)
    case port(Errno, UInt16)
    case multicast(Errno)
    case bluetooth(Errno)
    case state(Errno)
    case authority(Errno)
    case system(Errno)

    var text: String {
        switch self {
        case .interface(let error): "\(error.description); name one with --interface"
        case .port(let error, let port):
            "port \(port) cannot be used (\(error.description)); choose one with --port"
        case .multicast(let error): "no multicast DNS (\(error.description))"
        case .bluetooth(let error):
            "the folder for Bluetooth cannot be used (\(error.description))"
        case .state(let error): "the state file cannot be used (\(error.description))"
        case .authority(let error): "the authority cannot be written (\(error.description))"
        case .system(let error): error.description
        }
    }

    var exitCode: Int32 {
        switch self {
        case .interface: EX_CONFIG
        case .port, .multicast, .system, .bluetooth: EX_OSERR
        case .state: EX_NOINPUT
        case .authority: EX_CANTCREAT
        }
    }
}
