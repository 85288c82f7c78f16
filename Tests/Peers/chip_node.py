"""A device as the CHIP controller sees it, and the octets that came from it.

Every value of a command's response and of an event is encoded again by CHIP; what is not the same
to the octet is in `Octets.differences`.
"""
import asyncio
import itertools

from chip.clusters import Attribute, ClusterObjects, Command
from chip.discovery import DiscoveryType
from chip.interaction_model import InteractionModelError, Status

import chip_controller

ADMINISTRATOR, STRANGER = 112233, 112244  # node ids of controllers
OPEN_WITH_NEW_PASSCODE = 1


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def values(octets):
    """Each value of the last reads that CHIP knows: its place, its type and its octets."""
    for (endpoint, cluster, attribute), (status, data) in octets.values.items():
        known = ClusterObjects.ALL_ATTRIBUTES.get(cluster, {}).get(attribute)
        yield (endpoint, cluster, attribute), known, Status(status), data


class Octets:
    """What comes, before CHIP makes objects of it."""

    def __init__(self):
        self.values, self.differences = {}, []
        reads, commands = Attribute.AsyncReadTransaction, Command.AsyncCommandTransaction
        take_value, take_event = reads.handleAttributeData, reads.handleEventData
        take_response = commands.handleResponse

        def value(transaction, path, version, status, data):
            self.values[path.EndpointId, path.ClusterId, path.AttributeId] = status, data
            take_value(transaction, path, version, status, data)

        def event(transaction, header, path, data, status):
            if data:
                self.compare(ClusterObjects.ALL_EVENTS[path.ClusterId].get(path.EventId), data)
            take_event(transaction, header, path, data, status)

        def response(transaction, path, index, status, data):
            if data:
                self.compare(Command.FindCommandClusterObject(False, path), data)
            take_response(transaction, path, index, status, data)

        reads.handleAttributeData, reads.handleEventData = value, event
        commands.handleResponse = response

    def compare(self, kind, data):
        try:
            again = bytes(kind.FromTLV(data).ToTLV())
            if again != data:
                self.differences.append(
                    f"{kind.__qualname__}: {data.hex()}, CHIP's {again.hex()}")
        except Exception as problem:
            self.differences.append(f"{kind}: {data.hex()}: {problem!r}")


class Chip:
    """The controller of some fabrics; on the first is a second controller, without rights."""

    nodes = itertools.count(1)

    def __init__(self, folder):
        self.folder, self.kept = folder, chip_controller.start(folder)
        self.octets = Octets()
        self.fabrics, self.controllers = {}, {}
        self.first = self.of_fabric(1)
        self.stranger = self._controller(1, STRANGER)

    def of_fabric(self, identity):
        """The administrator of that fabric; it is made when it is first asked for."""
        if identity not in self.controllers:
            self.fabrics[identity] = self.kept[1].NewCertificateAuthority().NewFabricAdmin(
                vendorId=0xFFF1, fabricId=identity)
            self.controllers[identity] = self._controller(identity, ADMINISTRATOR)
        return self.controllers[identity]

    def _controller(self, identity, node):
        return self.fabrics[identity].NewController(
            nodeId=node, paaTrustStorePath=str(self.folder))

    async def commission(self, payload, by=None):
        node = next(self.nodes)
        await (by or self.first).CommissionWithCode(
            payload, node, DiscoveryType.DISCOVERY_NETWORK_ONLY)
        return Node(by or self.first, node)


class Node:
    """A commissioned device as one controller sees it."""

    def __init__(self, controller, number):
        self.controller, self.number = controller, number

    def by(self, controller):
        return Node(controller, self.number)

    async def read(self, attribute, endpoint=0):
        found = await self.controller.ReadAttribute(self.number, [(endpoint, attribute)])
        cluster = ClusterObjects.ALL_CLUSTERS[attribute.cluster_id]
        return found[endpoint][cluster][attribute]

    async def write(self, value, endpoint=0, **options):
        """The status."""
        written = await self.controller.WriteAttribute(
            self.number, [(endpoint, value)], **options)
        return written[0].Status

    async def invoke(self, command, endpoint=0, **options):
        return await self.controller.SendCommand(self.number, endpoint, command, **options)

    async def refused(self, asked):
        """The status with which what was `asked` is refused."""
        try:
            answer = await asked
        except InteractionModelError as error:
            return error.status
        raise AssertionError(f"it was not refused: {answer}")

    async def windowed(self):
        """Opens a window with a new passcode and gives its QR code."""
        made = await self.controller.OpenCommissioningWindow(
            self.number, 180, 1000, 3841, OPEN_WITH_NEW_PASSCODE)
        return made.setupQRCode

    async def subscribe(self, attribute, endpoint, interval):
        return Subscription(await self.controller.ReadAttribute(
            self.number, [(endpoint, attribute)], reportInterval=interval,
            keepSubscriptions=True, autoResubscribe=False), attribute)


class Subscription:
    def __init__(self, transaction, attribute):
        self.transaction, self.attribute = transaction, attribute
        self.values, self.errors = asyncio.Queue(), []
        loop = asyncio.get_running_loop()  # CHIP calls from a thread of its own
        transaction.SetAttributeUpdateCallback(lambda path, made: loop.call_soon_threadsafe(
            self.values.put_nowait, made.GetAttribute(path)))
        transaction.SetErrorCallback(lambda error, made: self.errors.append(error))

    async def next(self, seconds=5):
        try:
            return await asyncio.wait_for(self.values.get(), seconds)
        except asyncio.TimeoutError:
            raise AssertionError(f"no report of {self.attribute.__name__} came") from None

    def end(self):
        self.transaction.Shutdown()
