import Crypto
import Foundation
import Glibc
import Matter
import Testing

@testable import LinuxIO

@Suite("BoardNetwork")
struct BoardNetworkTests {
    private let folder = TemporaryFolder()

    private func write(_ text: String, _ path: String) throws {
        let url = URL(fileURLWithPath: folder.path + path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func find(
        _ name: String? = nil, inUse: String? = nil
    ) throws(BoardNetworkError) -> WiFiNetworkCredentials {
        try BoardNetwork.find(
            name.map { Array($0.utf8) }, inUse: inUse.map { Array($0.utf8) }, below: folder.path)
    }

    private func refusal(_ name: String? = nil, inUse: String? = nil) -> BoardNetworkError? {
        do throws(BoardNetworkError) { _ = try find(name, inUse: inUse) } catch { return error }
        return nil
    }

    private static func secret(_ text: String) -> Secret { Secret(Array(text.utf8).span) }

    private static let supplicant = "/etc/wpa_supplicant/wpa_supplicant.conf"
    private static func profile(_ name: String) -> String {
        "/etc/NetworkManager/system-connections/\(name).nmconnection"
    }

    @Test("a board without such files is on no network")
    func nothing() {
        #expect(refusal() == BoardNetworkError.none)
        #expect(refusal("Home") == .noneNamed)
    }

    @Test("wpa_supplicant.conf: passphrases keep what looks like a comment, keys are digits")
    func supplicant() throws {
        let key = String(repeating: "0a", count: 32)
        try write(
            """
            ctrl_interface=DIR=/var/run/wpa_supplicant GROUP=netdev
            country=GB
            # network={
            network={
                ssid="Home # \\"quoted" # a comment
                psk="correct ; \"horse" # battery"
                scan_ssid=1
                key_mgmt=WPA-PSK SAE
            }
            network = {
            \tssid=4b65790a
            \tpsk=\(key)   # made by wpa_passphrase
            }\r
            network={
                ssid=P"Caf\\xc3\\xa9\\n"
                key_mgmt=NONE
            }
            network={
                ssid="Newer"
                key_mgmt=SAE
                sae_password="only for sae"
            }
            network={
                ssid="Off"
                psk="12345678"
                disabled=1
            }
            network={
                ssid="Mine"
                mode=2
                psk="12345678"
            }
            network={
                ssid="Cut off"
                psk="12345678"
            """, Self.supplicant)
        let home = try find("Home # \\\"quoted")
        #expect(home.credentials == Self.secret("correct ; \"horse\" # battery"))
        #expect(home.isHidden)
        let keyed = try find(inUse: "Key\n")
        #expect(keyed.credentials == Self.secret(key))
        #expect(!keyed.isHidden)
        #expect(try find("Café\n").credentials.count == 0)
        #expect(try find("Newer").credentials == Self.secret("only for sae"))
        try write(
            "network={\n  ssid=\"Planned\"\n  psk=\"12345678\"\n}\n", "/run/netplan/wpa-wlan0.conf")
        #expect(try find("Planned").credentials == Self.secret("12345678"))
        for name in ["Off", "Mine", "Cut off"] { #expect(refusal(name) == .noneNamed) }
        #expect(refusal() == .several)
        #expect(refusal(inUse: "Elsewhere") == BoardNetworkError.none)
    }

    @Test("networks with accounts, with WEP, and with passphrases that are elsewhere")
    func unusable() throws {
        try write(
            """
            network={
                ssid="Office"
                key_mgmt=WPA-EAP
                eap=PEAP
                identity="me"
                password="mine alone"
            }
            network={
                ssid="Old"
                key_mgmt=NONE
                wep_key0="abcde"
            }
            network={
                ssid="Ext"
                psk=ext:home
            }
            network={
                ssid="Odd"
                psk="short"
            }
            """, Self.supplicant)
        func unusable(_ name: String) -> WiFiAccess? {
            guard case .unusable(_, let access)? = refusal(name) else { return nil }
            return access
        }
        #expect(unusable("Office") == .enterprise)
        #expect(unusable("Old") == .wep)
        #expect(unusable("Ext") == .notStored)
        #expect(unusable("Odd") == .passphrase(Self.secret("short")))
    }

    @Test("NetworkManager's keyfiles: escapes, names in octets, other connections passed over")
    func profiles() throws {
        try write(
            """
            [connection]
            id=home
            type=wifi

            [wifi]
            hidden=true
            mode=infrastructure
            ssid=Mill\\sLane\\;5

            [wifi-security]
            key-mgmt=wpa-psk
            psk=\\scorrect ;horse#\\\\

            [ipv4]
            method=auto
            """, Self.profile("home"))
        try write("[connection]\ntype=ethernet\n[ethernet]\n", Self.profile("wired"))
        let home = try find()
        #expect(String(decoding: home.ssid, as: UTF8.self) == "Mill Lane;5")
        #expect(home.isHidden)
        #expect(home.credentials == Self.secret(" correct ;horse#\\"))
        try write(
            "[802-11-wireless]\nssid=72;111;255;\n[802-11-wireless-security]\nkey-mgmt=sae\n"
                + "psk=12345678\n", "/run/NetworkManager/system-connections/netplan.nmconnection")
        let octets = try BoardNetwork.find([72, 111, 255], inUse: nil, below: folder.path)
        #expect(octets.credentials == Self.secret("12345678"))
        try write(
            "[wifi]\nmode=ap\nssid=Mine\n[wifi-security]\nkey-mgmt=wpa-psk\npsk=12345678\n",
            Self.profile("hotspot"))
        #expect(refusal("Mine") == .noneNamed)
        try write("[wifi]\nssid=Guests\n", Self.profile("guests"))
        #expect(try find("Guests").credentials.count == 0)
        for (method, more, access) in [
            ("wpa-eap", "", .enterprise), ("none", "wep-key0=abcde\n", .wep),
            ("wpa-psk", "psk-flags=1\n", .notStored),
        ] as [(String, String, WiFiAccess)] {
            try write(
                "[wifi]\nssid=X\n[wifi-security]\nkey-mgmt=\(method)\n\(more)",
                Self.profile("x"))
            #expect(refusal("X") == .unusable(ssid: [0x58], access))
        }
    }

    @Test("what cannot be read is named when nothing else has the network")
    func unreadable() throws {
        try write("network={\nssid=\"A\"\npsk=\"12345678\"\n}\n", Self.supplicant)
        // A file that is longer than any: whoever runs the tests may be root.
        try write(String(repeating: "#", count: 70_000), Self.profile("large"))
        #expect(try find("A").credentials == Self.secret("12345678"))
        #expect(
            refusal("B")
                == .notReadable(path: folder.path + Self.profile("large"), Errno(EFBIG)))
    }

    @Test("noise of any kind gives networks or none, and no end")
    func noise() throws {
        var seed: UInt64 = 1
        let pieces = [
            "network={", "}", "ssid=", "\"", "P\"", "\\", "\\x", "psk=", "\n", "[wifi]", "=", ";",
            "#", " ", "a", "72;", "\u{0}", "key_mgmt=NONE", "[", "ssid=\"A\"",
        ]
        for _ in 0..<500 {
            var text: [UInt8] = []
            for _ in 0..<40 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += Array(pieces[Int(seed >> 33) % pieces.count].utf8)
            }
            _ = SupplicantFile.networks(text.span)
            _ = ConnectionProfile.networks(text.span)
        }
    }
}
