import Base
import Crypto
import Gateway
import Matter
import Testing

@Suite("SerialCodes")
struct SerialCodesTests {
    private enum Seen: Equatable {
        case line(String)
        case dropped(SerialCodes.Fault)
    }

    private func events(_ codes: inout SerialCodes) -> [Seen] {
        var seen: [Seen] = []
        while let event = codes.nextEvent() {
            switch event {
            case .line(let line):
                seen.append(.line(String(decoding: [UInt8](line.span), as: UTF8.self)))
            case .dropped(let fault): seen.append(.dropped(fault))
            }
        }
        return seen
    }

    private func feed(_ bytes: [UInt8], _ codes: inout SerialCodes) -> [Seen] {
        codes.receive(bytes.span)
        return events(&codes)
    }

    @Test(
        "lines end in CR, LF or both, and empty ones are nothing",
        arguments: ["MT:A\rMT:B\r", "MT:A\nMT:B\n", "MT:A\r\nMT:B\r\n", "\n\rMT:A\r\r\n  \nMT:B\n"])
    func ends(text: String) {
        var codes = SerialCodes()
        #expect(feed(Array(text.utf8), &codes) == [.line("MT:A"), .line("MT:B")])
    }

    @Test("octet by octet it is the same")
    func drip() {
        var codes = SerialCodes()
        var seen: [Seen] = []
        for octet in Array("  749 7013-2827 \r\nROOM:Küche\r".utf8) {
            seen += feed([octet], &codes)
        }
        #expect(seen == [.line("749 7013-2827"), .line("ROOM:Küche")])
        #expect(feed(Array("last".utf8), &codes) == [])
        codes.end()
        #expect(events(&codes) == [.line("last")])
        codes.end()
        #expect(events(&codes) == [])
    }

    @Test("a line of the greatest length is taken, one octet more is dropped with a message")
    func tooLong() {
        var codes = SerialCodes()
        let longest = [UInt8](repeating: 0x41, count: WindowLimits.lineBytes)
        #expect(feed(longest + [0x0D], &codes).count == 1)
        #expect(
            feed(longest + [0x41, 0x0D] + [0x42, 0x0D], &codes) == [.dropped(.tooLong), .line("B")])
    }

    @Test(
        "control characters inside and wrong UTF-8 are noise, around a line they are framing",
        arguments: [
            ([0x41, 0x00, 0x41], false), ([0x41, 0x1B, 0x5B, 0x41], false), ([0xFF, 0xFE], false),
            ([0xC0, 0x80], false), ([0xED, 0xA0, 0x80], false), ([0xE2, 0x82], false),
            ([0xF4, 0x90, 0x80, 0x80], false), ([0xC3, 0xBC], true), ([0x41, 0x09, 0x41], true),
            ([0x02, 0x41, 0x03], true), ([0xF0, 0x9F, 0x92, 0xA1], true), ([0x41, 0x80], false),
        ] as [([UInt8], Bool)])
    func binary(bytes: [UInt8], isLine: Bool) {
        var codes = SerialCodes()
        let seen = feed(bytes + [0x0A], &codes)
        #expect(seen.count == 1)
        #expect((seen != [.dropped(.binary)]) == isLine)
    }

    @Test("lines that nobody takes are bounded, and the loss is told")
    func bounded() {
        var codes = SerialCodes()
        let lines = Array("A\n".utf8)
        for _ in 0..<500 { codes.receive(lines.span) }
        let seen = events(&codes)
        #expect(seen.count == WindowLimits.inputEvents && seen.last == .dropped(.tooMany))
        #expect(feed(Array("B\n".utf8), &codes) == [.line("B")])
    }
}

@Suite("InstallerLine")
struct InstallerLineTests {
    private func parse(_ text: String) throws(InstallerLineError) -> InstallerLine {
        let bytes = Array(text.utf8)
        return try InstallerLine(bytes.span)
    }

    private func fault(_ text: String) -> InstallerLineError? {
        do throws(InstallerLineError) {
            _ = try parse(text)
            return nil
        } catch { return error }
    }

    @Test("setup codes of every kind are devices")
    func devices() throws {
        for text in [
            "MT:Y.K9042C00KA0648G00", "mt:y.k9042c00ka0648g00", "34970112332", "3497-011-2332",
        ] {
            guard case .devices(let payloads) = try parse(text) else {
                Issue.record("\(text) is no device")
                continue
            }
            #expect(payloads.count == 1)
        }
        #expect(fault("MT:Y.K9042C00KA0648G0") != nil)
        #expect(fault("3497-011-2333") == .payload(.checkDigit))
    }

    @Test("labels of rooms and names, with Latin and other letters")
    func labels() throws {
        #expect(try parse("ROOM:Küche 灯") == .room("Küche 灯"))
        #expect(try parse("name: Hall lamp") == .name("Hall lamp"))
        #expect(try parse("ROOM:") == .room(""))
        #expect(fault("ROOM:" + String(repeating: "x", count: 65)) == .label(isTooLong: true))
        #expect(fault("NAME:a\u{202E}b") == .label(isTooLong: false))
    }

    @Test("anything else is none", arguments: ["factory-reset", "MT", "wifi", "pair MT:X", "ROOM"])
    func other(text: String) throws {
        #expect(try parse(text) == .other)
    }

    /// Nil for an open network.
    private func passphrase(_ network: WiFiNetworkCredentials) -> String? {
        let octets = [UInt8](network.credentials.span)
        return octets.isEmpty ? nil : String(decoding: octets, as: UTF8.self)
    }

    @Test("Wi-Fi labels of phones and makers")
    func wiFi() throws {
        func network(_ text: String) throws -> (String, String?, Bool) {
            guard case .wiFi(let network) = try parse(text) else { throw NoNetwork() }
            return (
                String(decoding: network.ssid, as: UTF8.self),
                passphrase(network),
                network.isHidden
            )
        }
        for (text, expected) in [
            ("WIFI:T:WPA;S:Home;P:correct horse;;", ("Home", "correct horse", false)),
            ("WIFI:S:Home;T:WPA2;P:correct horse;H:true;;", ("Home", "correct horse", true)),
            ("wifi:t:sae;s:Home;p:long enough;;", ("Home", "long enough", false)),
            ("WIFI:T:WPA3;R:1;S:Home;P:12345678;;", ("Home", "12345678", false)),
            ("WIFI:T:nopass;S:Guests;P:;;", ("Guests", nil, false)),
            ("WIFI:S:Guests;;", ("Guests", nil, false)),
            ("WIFI:S:Home;P:12345678;;", ("Home", "12345678", false)),
            (
                #"WIFI:T:WPA;S:a\;b\:c\\d\,e\"f;P:\;\;\;\;\\\\\:\:;;"#,
                (#"a;b:c\d,e"f"#, #";;;;\\::"#, false)
            ),
            (#"WIFI:T:WPA;S:"ABCD";P:"12345678";;"#, ("ABCD", "12345678", false)),
            ("WIFI:T:WPA;S:Küche;P:12345678;H:false;", ("Küche", "12345678", false)),
        ] as [(String, (String, String?, Bool))] {
            #expect(try network(text) == expected, "\(text)")
        }
    }

    @Test(
        "Wi-Fi labels that let no device in say why",
        arguments: [
            ("WIFI:T:WPA2-EAP;S:Office;E:PEAP;I:me;P:12345678;;", .enterprise),
            ("WIFI:T:WPA;S:Office;E:TTLS;P:12345678;;", .enterprise),
            ("WIFI:T:WEP;S:Old;P:12345;;", .wep), ("WIFI:T:OWE2;S:New;;", .unknownSecurity),
            ("WIFI:T:WPA;P:12345678;;", .noSSID), ("WIFI:T:WPA;S:;P:12345678;;", .noSSID),
            ("WIFI:T:WPA;S:Home;;", .noPassphrase),
            ("WIFI:T:WPA;S:Home;P:1234567;;", .passphraseLength),
            ("WIFI:T:SAE;S:Home;P:12345;;", .passphraseLength),
            ("WIFI:T:WPA;S:Home;P:" + String(repeating: "a", count: 63) + ";;", nil),
            ("WIFI:T:WPA;S:Home;P:" + String(repeating: "a", count: 64) + ";;", nil),
            ("WIFI:T:WPA;S:Home;P:" + String(repeating: "g", count: 64) + ";;", .passphraseLength),
            ("WIFI:T:SAE;S:Home;P:" + String(repeating: "g", count: 64) + ";;", .passphraseLength),
            ("WIFI:T:WPA;S:" + String(repeating: "s", count: 33) + ";P:12345678;;", .ssidTooLong),
            ("WIFI:T:WPA;S:Home;P:1234567890", .cutOff),
            (#"WIFI:T:WPA;S:Home;P:12345678\;"#, .cutOff),
            (#"WIFI:T:WPA;S:Home;P:12345678\"#, .cutOff), ("WIFI:Home", .malformed),
            ("WIFI:S:a;S:b;;", .malformed), ("WIFI:", .noSSID),
        ] as [(String, WiFiLabelError?)])
    func wiFiFaults(text: String, expected: WiFiLabelError?) {
        #expect(fault(text) == expected.map { .wiFi($0) })
    }

    private struct NoNetwork: Error {}
}
