"""A Matter device for tests: a light (endpoint 1) and a temperature sensor (endpoint 2).

The device is CircuitMatter 0.4.1, an implementation that nobody here wrote. This program gives
it a fixed passcode and discriminator, a temperature cluster (it ships none) and a multicast DNS
responder, and mends what keeps it from behaving like a device (see Mends below; `--as-shipped`
leaves them out). It prints, one a line: its payloads (QR, MANUAL), READY, and what happens to
it: COMMISSIONED, LIGHT ON, LIGHT OFF, IDENTIFY, FABRIC REMOVED, FAIL-SAFE ROLLED BACK,
EXCEPTION.
"""
import argparse
import binascii
import json
import os
import pathlib
import select
import socket
import struct
import sys
import time

import circuitmatter
from circuitmatter import case, certificates, data_model, interaction_model, pase, session, tlv
from circuitmatter.clusters.device_management.node_operational_credentials import (
    NodeOperationalCertStatusEnum, NodeOperationalCredentialsCluster)
from circuitmatter.clusters.general import identify
from circuitmatter.device_types import simple_device
from circuitmatter.device_types.lighting.on_off import OnOffLight
from circuitmatter.utility import random as system_random

from mdns import Responder

# The only identity for which CircuitMatter has an attestation certificate.
VENDOR_ID, PRODUCT_ID = 0xFFF4, 0x1234


def say(*words):
    print(*words, file=sys.__stdout__, flush=True)


# --- the device's own clusters and endpoints


class Int16(data_model.NumberAttribute):
    """A signed attribute. CircuitMatter encodes 200 in one signed octet, where it is no more
    200; two octets always hold an int16."""

    def __init__(self, attribute_id, **options):
        super().__init__(attribute_id, signed=True, bits=16, **options)

    def _encode(self, value):
        return struct.pack("<Bh", tlv.ElementType.SIGNED_INT | 1, value)


class TemperatureMeasurement(data_model.Cluster):
    CLUSTER_ID = 0x0402
    cluster_revision = 4
    MeasuredValue = Int16(0x0000, X_nullable=True)
    MinMeasuredValue = Int16(0x0001, X_nullable=True, default=-4000)
    MaxMeasuredValue = Int16(0x0002, X_nullable=True, default=12500)


class TemperatureSensor(simple_device.SimpleDevice):
    DEVICE_TYPE_ID = 0x0302
    REVISION = 2

    def __init__(self, name, celsius):
        super().__init__(name)
        self.measurement = TemperatureMeasurement()
        self.measurement.MeasuredValue = round(celsius * 100)
        self.servers.append(self.measurement)


class IdentifyRequest(tlv.Structure):
    IdentifyTime = tlv.IntMember(0, signed=False, octets=2)


class ShownIdentify(identify.Identify):
    """CircuitMatter has the cluster, without its command."""
    identify = data_model.Command(0x00, IdentifyRequest)

    def __init__(self):
        super().__init__()
        self.identify = self.show

    def show(self, context, request):
        say("IDENTIFY", request.IdentifyTime)


class Light(OnOffLight):
    def __init__(self, name):
        super().__init__(name)
        shown = ShownIdentify()
        self.servers[self.servers.index(self._identify)] = shown
        self._identify = shown

    def on(self):
        say("LIGHT ON")

    def off(self):
        say("LIGHT OFF")


# --- Mends: what CircuitMatter gets wrong and a device in the field would not


def accept_newer_session_parameters():
    """A session parameter it does not know (TCP, 8 and 9) makes it drop the whole message."""
    parameters = session.SessionParameterStruct
    parameters.supported_transports = tlv.IntMember(8, signed=False, octets=2, optional=True)
    parameters.max_tcp_message_size = tlv.IntMember(9, signed=False, octets=4, optional=True)


def hash_what_was_received():
    """It hashes its own re-encoding of Sigma1 and Sigma3, so that another width of an integer
    breaks the transcript, and it needs all three retransmission parameters in Sigma1."""
    defaults = {"session_idle_interval": 500, "session_active_interval": 300,
                "session_active_threshold": 4000}

    def keeping_octets(decode):
        def decoded(octets, offset=0):
            octets = bytes(octets)
            message = decode(octets, offset)
            message.encode = lambda: octets
            parameters = getattr(message, "initiatorSessionParams", None)
            for name, value in defaults.items():
                if parameters is not None and getattr(parameters, name) is None:
                    setattr(parameters, name, value)
            return message
        return staticmethod(decoded)

    case.Sigma1.decode = keeping_octets(case.Sigma1.decode)
    case.Sigma3.decode = keeping_octets(case.Sigma3.decode)


def ask_for_an_answer_between_chunks():
    """It sends SuppressResponse with every chunk of a long report, so that a correct client
    never asks for the next; it belongs on the last one alone."""
    report = interaction_model.ReportDataMessage
    encode = report.encode_into
    suppress = report.SuppressResponse

    def encode_into(message, buffer, offset=0):
        message.quiet_end = getattr(message, "quiet_end", False) or bool(message.SuppressResponse)
        message.values.pop(suppress, None)
        end = encode(message, buffer, offset)
        if message.quiet_end and not message.MoreChunkedMessages:
            message.SuppressResponse = True
            end = encode(message, buffer, offset)
        return end

    report.encode_into = encode_into


def mend_before_start():
    accept_newer_session_parameters()
    hash_what_was_received()
    ask_for_an_answer_between_chunks()


class Commissioning:
    """The life of a fabric that CircuitMatter leaves out: the breadcrumb is reset and the
    advertisement ends when commissioning is complete, a fail-safe that expires or is disarmed
    takes back what was added under it, and a fabric can be labelled
    and removed."""

    def __init__(self, device, responder):
        self.device, self.responder = device, responder
        self.credentials = device.root_node.noc
        self.general = device._endpoints[0][0x0030]
        self.armed_until = None
        self.fabrics_when_armed = 0
        self.arm, self.complete = self.general.arm_fail_safe, self.general.commissioning_complete
        self.general.arm_fail_safe = self.arm_fail_safe
        self.general.commissioning_complete = self.commissioning_complete
        self.credentials.remove_fabric = self.remove_fabric
        self.credentials.update_fabric_label = self.update_fabric_label

    def arm_fail_safe(self, context, request):
        response = self.arm(context, request)
        if request.ExpiryLengthSeconds == 0:
            self.roll_back()
        else:
            if self.armed_until is None:
                self.fabrics_when_armed = len(self.credentials.fabrics)
            self.armed_until = time.monotonic() + request.ExpiryLengthSeconds
        return response

    def commissioning_complete(self, context):
        self.general.breadcrumb = 0
        self.armed_until = None
        response = self.complete(context)
        self.responder.withdraw("_matterc._udp")
        say("COMMISSIONED")
        return response

    def look_at_clock(self):
        if self.armed_until is not None and time.monotonic() >= self.armed_until:
            self.roll_back()

    def roll_back(self):
        if self.armed_until is None:
            return
        self.armed_until = None
        self.general.breadcrumb = 0
        while len(self.credentials.fabrics) > self.fabrics_when_armed:
            self.forget(len(self.credentials.fabrics) - 1)
        say("FAIL-SAFE ROLLED BACK")

    def update_fabric_label(self, session, request):
        response = NodeOperationalCredentialsCluster.NOCResponse()
        own = self.credentials.fabrics[session.local_fabric_index - 1]
        if any(other is not own and other.Label == request.Label
               for other in self.credentials.fabrics):
            response.StatusCode = NodeOperationalCertStatusEnum.LABEL_CONFLICT
            return response
        own.Label = request.Label
        response.StatusCode = NodeOperationalCertStatusEnum.OK
        return response

    def remove_fabric(self, context, request):
        response = NodeOperationalCredentialsCluster.NOCResponse()
        position = request.FabricIndex - 1
        if not 0 <= position < len(self.credentials.fabrics):
            response.StatusCode = NodeOperationalCertStatusEnum.INVALID_FABRIC_INDEX
            return response
        self.forget(position)
        response.StatusCode = NodeOperationalCertStatusEnum.OK
        response.FabricIndex = request.FabricIndex
        say("FABRIC REMOVED")
        if not len(self.credentials.fabrics):
            self.device.start_commissioning()
        return response

    def forget(self, position):
        """Fabric indexes are positions here: those behind it move up, as a test device may."""
        credentials, groups = self.credentials, self.credentials.group_key_manager
        for attribute in ("nocs", "fabrics", "trusted_root_certificates"):
            kept = list(getattr(credentials, attribute))
            del kept[position]
            setattr(credentials, attribute, kept)
        for kept in (credentials.root_certs, credentials.compressed_fabric_ids,
                     credentials.noc_keys, credentials.encoded_noc_keys,
                     groups.key_sets, groups._encoded_key_sets):
            del kept[position]
        credentials._nonvolatile["pk"] = credentials.encoded_noc_keys
        groups._nonvolatile["gks"] = groups._encoded_key_sets
        credentials.commissioned_fabrics = len(credentials.fabrics)
        self.responder.withdraw("_matter._tcp")
        for index, fabric in enumerate(credentials.fabrics):
            compressed = credentials.compressed_fabric_ids[index].hex().upper()
            self.responder.advertise_service(
                "_matter", "_tcp", self.device.UDP_PORT,
                instance_name=f"{compressed}-{fabric.NodeID:016X}",
                subtypes=[f"_I{compressed}._sub._matter._tcp"])


# --- putting it together


class OnPort:
    """CircuitMatter's socket factory and responder in one: both put `port` where its own fixed
    number stands, since its constructor binds and announces."""

    AF_INET6, SOCK_DGRAM = socket.AF_INET6, socket.SOCK_DGRAM

    def __init__(self, port, responder, short_discriminator):
        self.port, self.responder = port, responder
        self.short_discriminator = short_discriminator

    def socket(self, family, kind):
        port = self.port

        class PortSocket(socket.socket):
            def bind(self, address):
                super().bind((address[0], port))

        return PortSocket(family, kind)

    def advertise_service(self, service_type, protocol, port, subtypes=(), **options):
        """CircuitMatter announces the long discriminator alone. Who has a manual code asks for
        the short one, which a device announces too (Core §4.3.1)."""
        if service_type == "_matterc" and self.short_discriminator is not None:
            subtypes = [*subtypes, f"_S{self.short_discriminator}._sub._matterc._udp"]
        self.responder.advertise_service(service_type, protocol, self.port, subtypes=subtypes,
                                         **options)


def manufacture(path, discriminator, passcode):
    """What the factory stores; CircuitMatter alone would draw passcode and discriminator."""
    state = certificates.generate_initial_state(VENDOR_ID, PRODUCT_ID, "Test sensor",
                                                system_random)
    salt = binascii.a2b_base64(state["salt"])
    verifier = certificates.compute_verifier(passcode, salt, state["iteration-count"])
    state["verifier"] = binascii.b2a_base64(verifier, newline=False).decode()
    state["discriminator"], state["passcode"] = discriminator, passcode
    state["manual_code"] = certificates.compute_manual_code(discriminator, passcode)
    path.write_text(json.dumps(state))


def silence_library():
    """Its messages cost more than its work: they are dropped before they are put together."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "circuitmatter":
            module.print = lambda *words, **options: None
    pase.show_qr_code = lambda *values: None


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interface", required=True, help="where to announce the device")
    parser.add_argument("--state", type=pathlib.Path, required=True,
                        help="file of the device's memory; made like new when missing")
    parser.add_argument("--discriminator", type=int, default=3840)
    parser.add_argument("--passcode", type=int, default=20202021)
    parser.add_argument("--port", type=int, default=5541)
    parser.add_argument("--temperature", type=float, default=21.5, help="in degrees Celsius")
    parser.add_argument("--as-shipped", action="store_true", help="without the mends")
    parser.add_argument("--verbose", action="store_true", help="let the library talk")
    return parser.parse_args()


def main():
    wanted = options()
    if not wanted.verbose:
        silence_library()
    if not wanted.as_shipped:
        mend_before_start()
    if not wanted.state.exists():
        manufacture(wanted.state, wanted.discriminator, wanted.passcode)
    responder = Responder(wanted.interface)
    on_port = OnPort(wanted.port, responder,
                     None if wanted.as_shipped else wanted.discriminator >> 8)
    device = circuitmatter.CircuitMatter(
        socketpool=on_port, mdns_server=on_port, state_filename=str(wanted.state),
        vendor_id=VENDOR_ID, product_id=PRODUCT_ID)
    device.add_device(Light("light"))
    device.add_device(TemperatureSensor("sensor", wanted.temperature))
    device.UDP_PORT = wanted.port
    life = None if wanted.as_shipped else Commissioning(device, responder)

    code = pase.compute_qr_code(VENDOR_ID, PRODUCT_ID, wanted.discriminator, wanted.passcode)
    say("QR", "MT:" + code)
    say("MANUAL", certificates.compute_manual_code(wanted.discriminator, wanted.passcode))
    say("READY")
    while True:
        select.select([device.socket, responder.socket], [], [], 0.05)
        responder.answer_pending()
        try:
            device.process_packets()
        except Exception as problem:  # a packet that it cannot digest must not end the device
            say("EXCEPTION", repr(problem))
        if life:
            life.look_at_clock()


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        os._exit(0)
