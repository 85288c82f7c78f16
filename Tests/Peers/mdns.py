"""A small multicast DNS responder over IPv6, enough to announce one test device (RFC 6762).

It needs no daemon and no thread: the owner waits on `socket` and calls `answer_pending()`.
`advertise_service` has the signature that CircuitMatter calls.
"""
import secrets
import socket
import struct

GROUP = "ff02::fb"
PORT = 5353
TTL_SECONDS = 120

TYPE_PTR, TYPE_TXT, TYPE_AAAA, TYPE_SRV, TYPE_ANY = 12, 16, 28, 33, 255
CLASS_IN = 1
FLUSH_CACHE = 0x8000  # in a record's class: forget what was known under this name
UNICAST_WANTED = 0x8000  # in a question's class
RESPONSE = 0x8400  # header flags: answer, authoritative


def encode_name(name):
    labels = [label.encode() for label in name.split(".") if label]
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def decode_name(packet, offset):
    """The name at `offset`, lower case, and where it ends. Loops and lies raise ValueError."""
    labels, end = [], None
    for _ in range(128):
        length = packet[offset]
        if length == 0:
            return ".".join(labels).lower(), end or offset + 1
        if length >= 0xC0:
            end = end or offset + 2
            offset = (length & 0x3F) << 8 | packet[offset + 1]
            continue
        labels.append(packet[offset + 1:offset + 1 + length].decode("utf-8", "replace"))
        offset += 1 + length
    raise ValueError("a name without an end")


class Service:
    def __init__(self, kind, instance, port, texts, subtypes, host):
        self.kind = f"{kind}.local"
        self.name = f"{instance}.{self.kind}"
        self.port, self.host = port, host
        self.pointers = [self.kind] + [f"{subtype}.local" for subtype in subtypes]
        self.texts = [f"{key}={value}".encode() for key, value in texts.items()]


class Responder:
    def __init__(self, interface):
        self.index = socket.if_nametoindex(interface)
        self.host = f"{secrets.token_hex(6).upper()}.local"
        self.addresses = self._addresses_of(interface)
        self.services = []
        self.socket = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        self.socket.bind(("::", PORT))
        membership = socket.inet_pton(socket.AF_INET6, GROUP) + struct.pack("@I", self.index)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, membership)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, self.index)
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
        self.socket.setblocking(False)

    @staticmethod
    def _addresses_of(interface):
        with open("/proc/net/if_inet6") as table:
            rows = [line.split() for line in table]
        return [bytes.fromhex(row[0]) for row in rows if row[5] == interface]

    def advertise_service(self, service_type, protocol, port, txt_records=None, subtypes=(),
                          instance_name=""):
        kind = f"{service_type}.{protocol}"
        service = Service(kind, instance_name, port, txt_records or {}, subtypes, self.host)
        self.services.append(service)
        self._send(self._pointers(service), self._details(service))

    def withdraw(self, kind):
        """Says goodbye (TTL 0) for every service of this kind, such as `_matterc._udp`."""
        for service in [each for each in self.services if each.kind == f"{kind}.local"]:
            self.services.remove(service)
            self._send(self._pointers(service, ttl=0), self._details(service, ttl=0)[:2])

    def answer_pending(self):
        while True:
            try:
                packet, source = self.socket.recvfrom(9000)
            except BlockingIOError:
                return
            try:
                self._answer(packet, source)
            except (ValueError, IndexError, struct.error):
                continue  # not a query that can be read

    def _answer(self, packet, source):
        identifier, flags, questions = struct.unpack_from("!HHH", packet)
        if flags & 0x8000:
            return
        offset = 12
        for _ in range(questions):
            name, offset = decode_name(packet, offset)
            kind, category = struct.unpack_from("!HH", packet, offset)
            offset += 4
            legacy = source[1] != PORT
            target = source if legacy or category & UNICAST_WANTED else None
            for service in self.services:
                answers, extra = self._records_for(service, name, kind)
                if answers:
                    self._send(answers, extra, target, identifier if legacy else 0)

    def _records_for(self, service, name, kind):
        details = self._details(service)
        if kind in (TYPE_PTR, TYPE_ANY):
            for pointer, record in zip(service.pointers, self._pointers(service)):
                if pointer.lower() == name:
                    return [record], details
        if kind in (TYPE_SRV, TYPE_TXT, TYPE_ANY) and service.name.lower() == name:
            return details[:2], details[2:]
        if kind in (TYPE_AAAA, TYPE_ANY) and self.host.lower() == name:
            return details[2:], []
        return [], []

    @staticmethod
    def _record(name, kind, data, ttl, category=CLASS_IN | FLUSH_CACHE):
        head = struct.pack("!HHIH", kind, category, ttl, len(data))
        return encode_name(name) + head + data

    def _pointers(self, service, ttl=TTL_SECONDS):
        data = encode_name(service.name)
        return [self._record(name, TYPE_PTR, data, ttl, CLASS_IN) for name in service.pointers]

    def _details(self, service, ttl=TTL_SECONDS):
        target = struct.pack("!HHH", 0, 0, service.port) + encode_name(service.host)
        texts = b"".join(bytes([len(text)]) + text for text in service.texts) or b"\0"
        records = [
            self._record(service.name, TYPE_SRV, target, ttl),
            self._record(service.name, TYPE_TXT, texts, ttl),
        ]
        return records + [self._record(service.host, TYPE_AAAA, address, ttl)
                          for address in self.addresses]

    def _send(self, answers, extra, target=None, identifier=0):
        head = struct.pack("!HHHHHH", identifier, RESPONSE, 0, len(answers), 0, len(extra))
        packet = head + b"".join(answers) + b"".join(extra)
        self.socket.sendto(packet, target or (GROUP, PORT, 0, self.index))
