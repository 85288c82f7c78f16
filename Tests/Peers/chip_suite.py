"""The virtual device and matter-gateway against the CHIP controller, in two network namespaces.

    chip_suite.py [NAME...]    all tests, or those whose name contains one of the words

Each test has devices, a state folder of the gateway and node ids of its own; the controller is this
process's and the same for all. It ends with `N passed, N failed`.
"""
import asyncio
import itertools
import os
import shutil
import sys
import time
import traceback

from chip.clusters import ClusterObjects, Objects as C
from chip.clusters.Attribute import DataVersion, ValueDecodeFailure
from chip.clusters.Types import NullValue
from chip.exceptions import ChipStackError
from chip.interaction_model import Status

import chip_controller
from chip_node import ADMINISTRATOR, STRANGER, Chip, check, values
from harness import Lab

TYPES = ("light", "dimmable-light", "color-light", "plug", "temperature", "humidity", "contact",
         "occupancy", "thermostat", "fan")
ENDPOINT = {name: number for number, name in enumerate(TYPES, 1)}
EVERYTHING = ["*"]
DEVICE_ADDRESS = "fd11::1"
WRONG_PASSCODE = 11223344
LIGHT = "1/on-off/on-off"
UNAVAILABLE = 69  # sysexits(3)

tests = []


def test(function):
    tests.append(function)
    return function


class Setting:
    """One test's device, and the gateway."""

    discriminators = itertools.cycle(range(200, 4096, 257))
    ports = itertools.count(5700)

    def __init__(self, lab, chip, authorities, name):
        self.lab, self.chip, self.authorities = lab, chip, authorities
        self.state = lab.folder / name
        self.devices = []

    def device(self, *options, types=TYPES, is_known=True):
        # One authority vouches for all: the controller reads its authorities at its start.
        memory = self.lab.folder / f"{self.state.name}-{len(self.devices)}.device"
        if is_known:
            shutil.copy(self.lab.folder / "template.device", memory)
        device = self.lab.virtual_device(
            "--port", next(self.ports), "--discriminator", next(self.discriminators),
            "--state", memory, "--types", ",".join(types), *options)
        self.devices.append(device)
        return device

    async def commissioned(self, *options, **more):
        device = self.device(*options, **more)
        node = await self.chip.commission(device.qr)
        check(device.wait_for("commissioned"), "CommissioningComplete was received")
        return device, node

    def run(self, *words, **options):
        return self.lab.gateway(
            *words, "--paa", self.authorities, state=self.state, **options)

    def json(self, *words, **options):
        return self.lab.gateway_json(
            *words, "--paa", self.authorities, state=self.state, **options)

    def end(self):
        for device in self.devices:
            device.stop()


# MARK: The controller and the virtual device


@test
async def commissions_and_reads_everything(setting):
    """No status but success, nothing that CHIP cannot decode, and its own encoding of each value
    that it knows is ours to the octet."""
    for options, types in (((), TYPES), (("--wifi",), ("light",)), (("--thread",), ("light",))):
        _, node = await setting.commissioned(*options, types=types)
        setting.chip.octets.values.clear()
        found = await node.controller.ReadAttribute(node.number, EVERYTHING)
        check(sorted(found) == list(range(len(types) + 1)), f"endpoints {sorted(found)}")
        failures, compared = [], 0
        for place, known, status, data in values(setting.chip.octets):
            if status != Status.Success or known is None:
                failures.append(f"{place}: {status!r}, which CHIP knows as {known}")
                continue
            value = found[place[0]][ClusterObjects.ALL_CLUSTERS[place[1]]][known]
            if isinstance(value, ValueDecodeFailure):
                failures.append(f"{place} {known.__qualname__}: {value.Reason!r}")
                continue
            again = bytes(known.ToTLV(None, value))
            compared += 1
            if again != data:
                failures.append(
                    f"{place} {known.__qualname__}: {data.hex()}, CHIP's {again.hex()}")
        check(not failures, "\n  ".join([f"{len(failures)} failures:", *failures]))
        check(compared > 100 * (1 + len(types) // 3), f"{compared} compared")


@test
async def lists_what_it_has(setting):
    """Each cluster's AttributeList is what a wildcard read gives; Descriptor's lists fit."""
    _, node = await setting.commissioned()
    setting.chip.octets.values.clear()
    found = await node.controller.ReadAttribute(node.number, EVERYTHING)
    for endpoint, clusters in found.items():
        servers = clusters[C.Descriptor][C.Descriptor.Attributes.ServerList]
        check(sorted(servers) == sorted(cluster.id for cluster in clusters),
              f"endpoint {endpoint} has {servers}")
        for cluster, values in clusters.items():
            listed = values[cluster.Attributes.AttributeList]
            read = sorted(attribute for there, other, attribute in setting.chip.octets.values
                          if (there, other) == (endpoint, cluster.id))
            check(sorted(listed) == read, f"{endpoint}/{cluster.__name__}: {listed}, read {read}")
    parts = found[0][C.Descriptor][C.Descriptor.Attributes.PartsList]
    check(sorted(parts) == sorted(set(found) - {0}), parts)


@test
async def reads_the_events(setting):
    device, node = await setting.commissioned()
    device.tell("contact open")
    deadline = time.monotonic() + 3
    while await node.read(C.BooleanState.Attributes.StateValue, ENDPOINT["contact"]):
        check(time.monotonic() < deadline, "the contact does not open")
    events = await node.controller.ReadEvent(node.number, EVERYTHING)
    broken = [event for event in events
              if event.Status is not Status.Success
              or isinstance(event.Data, ValueDecodeFailure)]
    check(not broken, broken)
    kinds = {type(event.Data) for event in events}
    for kind in (C.BasicInformation.Events.StartUp, C.GeneralDiagnostics.Events.BootReason,
                 C.AccessControl.Events.AccessControlEntryChanged,
                 C.BooleanState.Events.StateChange):
        check(kind in kinds, f"{kind.__qualname__} is not among {kinds}")
    numbers = [event.Header.EventNumber for event in events]
    check(numbers == sorted(set(numbers)), f"numbers {numbers}")
    later = await node.controller.ReadEvent(
        node.number, EVERYTHING, eventNumberFilter=numbers[-1])
    check([event.Header.EventNumber for event in later] == numbers[-1:], later)


@test
async def writes(setting):
    device, node = await setting.commissioned()
    plug, thermostat = ENDPOINT["plug"], ENDPOINT["thermostat"]
    label, setpoint = C.BasicInformation.Attributes.NodeLabel, \
        C.Thermostat.Attributes.OccupiedHeatingSetpoint
    for attribute, endpoint, value in (
            (label, 0, "Kuche 42"), (C.OnOff.Attributes.OnTime, plug, 600),
            (setpoint, thermostat, 2150)):
        status = await node.write(attribute(value), endpoint)
        check(status == Status.Success, f"{attribute.__name__}: {status!r}")
        check(await node.read(attribute, endpoint) == value, f"{attribute.__name__} is not kept")
    check(device.wait_for(f"{thermostat}: thermostat heat 21.5"), "the thermostat was told")
    status = await node.write(setpoint(9900), thermostat)
    check(status == Status.ConstraintError, f"99 °C: {status!r}")
    check(await node.read(setpoint, thermostat) == 2150, "it is as it was")
    status = await node.write(label("x" * 33))
    check(status == Status.ConstraintError, f"a label too long: {status!r}")
    status = await node.write(C.OnOff.Attributes.OnOff(True), plug)
    check(status == Status.UnsupportedWrite, f"read only: {status!r}")
    status = await node.write(label("timed"), timedRequestTimeoutMs=1000)
    check(status == Status.Success, f"timed: {status!r}")


@test
async def invokes(setting):
    device, node = await setting.commissioned()
    light, dimmable = ENDPOINT["light"], ENDPOINT["dimmable-light"]
    for command, is_on in ((C.OnOff.Commands.On(), True), (C.OnOff.Commands.Off(), False),
                           (C.OnOff.Commands.Toggle(), True)):
        await node.invoke(command, light)
        check(await node.read(C.OnOff.Attributes.OnOff, light) is is_on, f"{command}")
    check(device.wait_for(f"{light}: light on", times=2), "the light says it")
    await node.invoke(C.LevelControl.Commands.MoveToLevelWithOnOff(
        level=127, transitionTime=0, optionsMask=0, optionsOverride=0), dimmable)
    level = await node.read(C.LevelControl.Attributes.CurrentLevel, dimmable)
    check(level == 127, f"level {level}")
    color = ENDPOINT["color-light"]
    await node.invoke(C.OnOff.Commands.On(), color)
    await node.invoke(C.ColorControl.Commands.MoveToColorTemperature(
        colorTemperatureMireds=250, transitionTime=0, optionsMask=0, optionsOverride=0), color)
    mireds = await node.read(C.ColorControl.Attributes.ColorTemperatureMireds, color)
    check(mireds == 250, f"{mireds} mireds")
    thermostat = ENDPOINT["thermostat"]
    setpoint = C.Thermostat.Attributes.OccupiedHeatingSetpoint
    before = await node.read(setpoint, thermostat)
    await node.invoke(C.Thermostat.Commands.SetpointRaiseLower(
        mode=C.Thermostat.Enums.SetpointRaiseLowerModeEnum.kHeat, amount=5), thermostat)
    check(await node.read(setpoint, thermostat) == before + 50, "half a degree more")
    await node.invoke(C.Identify.Commands.Identify(identifyTime=7), light)
    check(device.wait_for(f"{light}: identify 7 s"), "it identifies itself")
    check(await node.read(C.Identify.Attributes.IdentifyTime, light) in (6, 7), "it counts")
    fan = ENDPOINT["fan"]
    status = await node.write(C.FanControl.Attributes.PercentSetting(40), fan)
    check(status == Status.Success, f"fan: {status!r}")
    deadline = time.monotonic() + 4  # its blades take a moment
    while await node.read(C.FanControl.Attributes.PercentCurrent, fan) != 40:
        check(time.monotonic() < deadline, "the fan is not as fast as told")
        await asyncio.sleep(0.1)


@test
async def refuses_what_is_not_there(setting):
    _, node = await setting.commissioned(types=("light", "temperature"))
    for asked, status in (
            (node.invoke(C.OnOff.Commands.On(), 9), Status.UnsupportedEndpoint),
            (node.invoke(C.OnOff.Commands.On(), 2), Status.UnsupportedCluster),
            (node.invoke(C.GeneralDiagnostics.Commands.PayloadTestRequest(
                enableKey=bytes(16), value=1, count=1)), Status.UnsupportedCommand)):
        given = await node.refused(asked)
        check(given == status, f"{given!r} instead of {status!r}")
    setting.chip.octets.values.clear()
    await node.controller.ReadAttribute(
        node.number, [(9, C.OnOff.Attributes.OnOff), (2, C.OnOff.Attributes.OnOff),
                      (1, C.OnOff.Attributes.StartUpOnOff), (1, C.OnOff.Attributes.OnOff)])
    given = {place: Status(status) for place, (status, _) in setting.chip.octets.values.items()}
    check(given[9, 6, 0] == Status.UnsupportedEndpoint, given)
    check(given[2, 6, 0] == Status.UnsupportedCluster, given)
    check(given[1, 6, 0] == Status.Success, given)


@test
async def subscribes(setting):
    """A change arrives at once; without one the subscription is kept alive at its interval."""
    device, node = await setting.commissioned(types=("light",))
    watched = await node.subscribe(C.OnOff.Attributes.OnOff, 1, (0, 2))
    check(watched.transaction.GetReportingIntervalsSeconds()[1] == 2, "the interval asked for")
    await asyncio.sleep(5)
    check(not watched.errors and watched.values.empty(), f"while idle: {watched.errors}")
    before = time.monotonic()
    device.tell("press")
    check(await watched.next() is True, "it was switched on")
    check(time.monotonic() - before < 1, "it came late")
    await node.invoke(C.OnOff.Commands.Off(), 1)
    check(await watched.next() is False, "it was switched off")
    watched.end()


@test
async def joins_a_wifi_network(setting):
    """The network commissioning commands, as a commissioner over Bluetooth gives them."""
    device, node = await setting.commissioned("--wifi", types=("light",))
    network = C.NetworkCommissioning
    statuses = network.Enums.NetworkCommissioningStatusEnum
    commands = network.Commands
    refused = await node.refused(node.invoke(
        commands.AddOrUpdateWiFiNetwork(ssid=b"virtual-home", credentials=b"any password")))
    check(refused == Status.FailsafeRequired, f"without a fail-safe: {refused!r}")
    await node.invoke(C.GeneralCommissioning.Commands.ArmFailSafe(60, 1))
    scan = await node.invoke(commands.ScanNetworks(ssid=NullValue, breadcrumb=2))
    found = {result.ssid for result in scan.wiFiScanResults}
    check(scan.networkingStatus == statuses.kSuccess and b"virtual-home" in found, scan)

    async def connect(ssid):
        added = await node.invoke(commands.AddOrUpdateWiFiNetwork(
            ssid=ssid, credentials=b"any password", breadcrumb=3))
        check(added.networkingStatus == statuses.kSuccess, added)
        connected = await node.invoke(
            commands.ConnectNetwork(networkID=ssid, breadcrumb=4), interactionTimeoutMs=40000)
        return connected.networkingStatus

    check(await connect(b"wrong-password") == statuses.kAuthFailure, "a wrong password")
    check(device.wait_for("network failed"), "the device says so")
    last = await node.read(network.Attributes.LastNetworkingStatus)
    check(last == statuses.kAuthFailure, f"last status {last!r}")
    check(await connect(b"virtual-home") == statuses.kSuccess, "the right one")
    check(device.wait_for("network connected"), "the device says so")
    known = await node.read(network.Attributes.Networks)
    networks = {one.networkID: one.connected for one in known}
    check(networks == {b"wrong-password": False, b"virtual-home": True}, networks)
    done = await node.invoke(C.GeneralCommissioning.Commands.CommissioningComplete())
    check(done.errorCode == C.GeneralCommissioning.Enums.CommissioningErrorEnum.kOk, done)


@test
async def is_shared_with_a_second_fabric(setting):
    device, node = await setting.commissioned(types=("light",))
    other = await setting.chip.commission(await node.windowed(), by=setting.chip.of_fabric(2))
    credentials = C.OperationalCredentials
    check(await node.read(credentials.Attributes.CommissionedFabrics) == 2, "two fabrics")
    own = await other.read(credentials.Attributes.CurrentFabricIndex)
    check(own == 2, f"fabric index {own}")
    everyone = await node.controller.ReadAttribute(
        node.number, [(0, credentials.Attributes.Fabrics)], fabricFiltered=False)
    fabrics = everyone[0][credentials][credentials.Attributes.Fabrics]
    check([fabric.fabricID for fabric in fabrics] == [1, 2], fabrics)
    filtered = await node.read(credentials.Attributes.Fabrics)
    check([fabric.fabricID for fabric in filtered] == [1], filtered)
    await node.invoke(C.OnOff.Commands.On(), 1)
    check(await other.read(C.OnOff.Attributes.OnOff, 1) is True, "both control it")
    removed = await node.invoke(credentials.Commands.RemoveFabric(fabricIndex=own))
    check(removed.statusCode == credentials.Enums.NodeOperationalCertStatusEnum.kOk, removed)
    check(device.wait_for("left fabric 2"), "the device says so")
    check(await node.read(credentials.Attributes.CommissionedFabrics) == 1, "one is left")
    removed = await node.invoke(credentials.Commands.RemoveFabric(fabricIndex=own))
    check(removed.statusCode
          == credentials.Enums.NodeOperationalCertStatusEnum.kInvalidFabricIndex, removed)


@test
async def closes_its_window_when_told(setting):
    device, node = await setting.commissioned(types=("light",))
    administrators = C.AdministratorCommissioning
    await node.windowed()
    check(device.wait_for("window open", times=2), "it is open")
    check(await node.read(administrators.Attributes.WindowStatus) == 1, "enhanced")
    check(await node.read(administrators.Attributes.AdminFabricIndex) == 1, "by the first fabric")
    refused = await node.refused(node.invoke(administrators.Commands.RevokeCommissioning()))
    check(refused == Status.NeedsTimedInteraction, f"untimed: {refused!r}")
    await node.invoke(
        administrators.Commands.RevokeCommissioning(), timedRequestTimeoutMs=5000)
    check(device.wait_for("window closed", times=2), "it is closed")
    check(await node.read(administrators.Attributes.WindowStatus) == 0, "none")
    check(await node.read(administrators.Attributes.AdminFabricIndex) is NullValue, "nobody's")


@test
async def refuses_a_subject_without_privilege(setting):
    """A second controller of the fabric has none, then View, then Operate."""
    _, node = await setting.commissioned(types=("light",))
    stranger = node.by(setting.chip.stranger)
    access, light = C.AccessControl, C.OnOff.Attributes.OnOff

    async def read():
        setting.chip.octets.values.clear()
        await stranger.controller.ReadAttribute(stranger.number, [(1, light)])
        return Status(setting.chip.octets.values[1, light.cluster_id, light.attribute_id][0])

    check(await read() == Status.UnsupportedAccess, "a read without a privilege")
    own = await node.read(access.Attributes.Acl)
    check(len(own) == 1 and own[0].subjects == [ADMINISTRATOR], own)
    privileges = access.Enums.AccessControlEntryPrivilegeEnum

    async def grant(privilege):
        entry = access.Structs.AccessControlEntryStruct(
            privilege=privilege, authMode=access.Enums.AccessControlEntryAuthModeEnum.kCase,
            subjects=[STRANGER],
            targets=[access.Structs.AccessControlTargetStruct(
                endpoint=1, cluster=NullValue, deviceType=NullValue)])
        status = await node.write(access.Attributes.Acl([*own, entry]))
        check(status == Status.Success, f"writing the list: {status!r}")

    await grant(privileges.kView)
    check(await read() == Status.Success, "a read with View")
    refused = await stranger.refused(stranger.invoke(C.OnOff.Commands.On(), 1))
    check(refused == Status.UnsupportedAccess, f"a command with View: {refused!r}")
    await grant(privileges.kOperate)
    await stranger.invoke(C.OnOff.Commands.On(), 1)
    status = await stranger.write(C.BasicInformation.Attributes.NodeLabel("mine"))
    check(status == Status.UnsupportedAccess, f"a write elsewhere: {status!r}")


@test
async def refuses_a_wrong_passcode(setting):
    device = setting.device(types=("light",))
    try:
        # This controller is not used again: its failure can be told to it twice.
        await setting.chip.of_fabric(7).EstablishPASESessionIP(
            DEVICE_ADDRESS, WRONG_PASSCODE, next(setting.chip.nodes), port_of(device))
    except ChipStackError:
        pass
    else:
        raise AssertionError("it was let in")
    check(device.wait_for("wrong passcode"), "the device says so")
    node = await setting.chip.commission(device.qr)
    check(await node.read(C.OnOff.Attributes.OnOff, 1) is False, "the right one is taken then")


@test
async def is_refused_when_nobody_vouches_for_it(setting):
    """The controller does check what the device attests; the fail-safe undoes the attempt."""
    device = setting.device(types=("light",), is_known=False)
    try:
        await setting.chip.commission(device.qr, by=setting.chip.of_fabric(8))
    except ChipStackError:
        pass
    else:
        raise AssertionError("it was commissioned")
    check(device.wait_for("session by passcode"), "the passcode was right")
    check(device.wait_for("fail-safe expired"), "the attempt is undone")
    check(not device.said("commissioned"), "it belongs to nobody")


@test
async def knows_the_controller_after_a_reboot(setting):
    device, node = await setting.commissioned(types=("light",))
    await node.write(C.BasicInformation.Attributes.NodeLabel("kept"))
    count = await node.read(C.GeneralDiagnostics.Attributes.RebootCount)
    device.tell("reboot")
    check(device.wait_for("READY", times=2), "it starts again")
    node.controller.ExpireSessions(node.number)
    check(await node.read(C.BasicInformation.Attributes.NodeLabel) == "kept", "it is kept")
    again = await node.read(C.GeneralDiagnostics.Attributes.RebootCount)
    check(again == count + 1, f"{again} starts")


@test
async def reads_and_writes_by_data_version(setting):
    """What has not changed is left out of a read; a write that is late is refused."""
    _, node = await setting.commissioned(types=("light",))
    basic, label = C.BasicInformation, C.BasicInformation.Attributes.NodeLabel
    wanted = [(0, basic)]
    before = await node.controller.ReadAttribute(node.number, wanted)
    version = before[0][basic][DataVersion]
    again = await node.controller.ReadAttribute(
        node.number, wanted, dataVersionFilters=[(0, basic, version)])
    check(not again.get(0), again)
    written = await node.controller.WriteAttribute(node.number, [(0, label("a"), version)])
    check(written[0].Status == Status.Success, written)
    written = await node.controller.WriteAttribute(node.number, [(0, label("b"), version)])
    check(written[0].Status == Status.DataVersionMismatch, written)
    check(await node.read(label) == "a", "the late one was not carried out")


@test
async def keeps_keys_of_groups(setting):
    _, node = await setting.commissioned(types=("light",))
    keys = C.GroupKeyManagement
    policy = keys.Enums.GroupKeySecurityPolicyEnum.kTrustFirst

    def key_set(number):
        return keys.Structs.GroupKeySetStruct(
            groupKeySetID=number, groupKeySecurityPolicy=policy, epochKey0=bytes(range(16)),
            epochStartTime0=1, epochKey1=NullValue, epochStartTime1=NullValue,
            epochKey2=NullValue, epochStartTime2=NullValue)

    await node.invoke(keys.Commands.KeySetWrite(key_set(42)))
    shown = await node.invoke(keys.Commands.KeySetRead(42))
    check(shown.groupKeySet.groupKeySetID == 42 and shown.groupKeySet.epochKey0 is NullValue
          and shown.groupKeySet.epochStartTime0 == 1, shown)
    every = await node.invoke(keys.Commands.KeySetReadAllIndices())
    check(sorted(every.groupKeySetIDs) == [0, 42], every)
    mapping = keys.Structs.GroupKeyMapStruct(groupId=7, groupKeySetID=42, fabricIndex=1)
    status = await node.write(keys.Attributes.GroupKeyMap([mapping]))
    check(status == Status.Success, f"the map: {status!r}")
    check(await node.read(keys.Attributes.GroupKeyMap) == [mapping], "the map is kept")
    await node.invoke(keys.Commands.KeySetRemove(42))
    check(await node.read(keys.Attributes.GroupKeyMap) == [], "its groups go with a key set")
    refused = await node.refused(node.invoke(keys.Commands.KeySetRead(42)))
    check(refused == Status.NotFound, f"{refused!r}")
    refused = await node.refused(node.invoke(keys.Commands.KeySetRemove(0)))
    check(refused == Status.InvalidCommand, f"{refused!r}")


@test
async def answers_about_groups(setting):
    """A group without a key is refused, one that the endpoint is not in is not found."""
    _, node = await setting.commissioned(types=("light",))
    groups = C.Groups.Commands
    added = await node.invoke(groups.AddGroup(groupID=7, groupName="hall"), 1)
    check(added.status == Status.UnsupportedAccess and added.groupID == 7, added)
    seen = await node.invoke(groups.ViewGroup(groupID=7), 1)
    check(seen.status == Status.NotFound, seen)
    member = await node.invoke(groups.GetGroupMembership(groupList=[]), 1)
    check(member.groupList == [], member)


@test
async def sets_the_clock(setting):
    _, node = await setting.commissioned(types=("light",))
    clock = C.TimeSynchronization
    now = (int(time.time()) - 946_684_800) * 1_000_000
    await node.invoke(clock.Commands.SetUTCTime(
        UTCTime=now, granularity=clock.Enums.GranularityEnum.kSecondsGranularity))
    read = await node.read(clock.Attributes.UTCTime)
    check(now <= read < now + 5_000_000, f"{read} instead of {now}")
    shot = await node.invoke(C.GeneralDiagnostics.Commands.TimeSnapshot())
    check(abs(shot.posixTimeMs / 1000 - time.time()) < 5, shot)


@test
async def changes_its_identity(setting):
    """UpdateFabricLabel and UpdateNOC, after which the fabric is the same."""
    device, node = await setting.commissioned(types=("light",))
    credentials = C.OperationalCredentials
    good = credentials.Enums.NodeOperationalCertStatusEnum.kOk
    done = await node.invoke(credentials.Commands.UpdateFabricLabel(label="Haus"))
    check(done.statusCode == good and done.fabricIndex == 1, done)
    fabrics = await node.read(credentials.Attributes.Fabrics)
    check([fabric.label for fabric in fabrics] == ["Haus"], fabrics)
    before = await node.read(credentials.Attributes.NOCs)
    await node.invoke(C.GeneralCommissioning.Commands.ArmFailSafe(60, 1))
    csr = await node.invoke(
        credentials.Commands.CSRRequest(CSRNonce=bytes(32), isForUpdateNOC=True))
    chain = await node.controller.IssueNOCChain(csr, node.number)
    done = await node.invoke(credentials.Commands.UpdateNOC(
        NOCValue=chain.nocBytes, ICACValue=chain.icacBytes))
    check(done.statusCode == good, done)
    node.controller.ExpireSessions(node.number)
    done = await node.invoke(C.GeneralCommissioning.Commands.CommissioningComplete())
    check(done.errorCode == C.GeneralCommissioning.Enums.CommissioningErrorEnum.kOk, done)
    after = await node.read(credentials.Attributes.NOCs)
    check(after[0].noc != before[0].noc, "it has a new certificate")
    check(await node.read(credentials.Attributes.CommissionedFabrics) == 1, "one fabric")


@test
async def undoes_what_a_fail_safe_covers(setting):
    device, node = await setting.commissioned("--wifi", types=("light",))
    network = C.NetworkCommissioning
    await node.invoke(C.GeneralCommissioning.Commands.ArmFailSafe(60, 5))
    check(await node.read(C.GeneralCommissioning.Attributes.Breadcrumb) == 5, "the breadcrumb")
    await node.invoke(network.Commands.AddOrUpdateWiFiNetwork(
        ssid=b"virtual-home", credentials=b"any password"))
    check(len(await node.read(network.Attributes.Networks)) == 1, "a network")
    await node.invoke(C.GeneralCommissioning.Commands.ArmFailSafe(0, 0))
    check(device.wait_for("fail-safe expired"), "the device says so")
    check(await node.read(network.Attributes.Networks) == [], "it is gone")
    done = await node.invoke(C.GeneralCommissioning.Commands.CommissioningComplete())
    check(done.errorCode == C.GeneralCommissioning.Enums.CommissioningErrorEnum.kNoFailSafe, done)


@test
async def opens_the_basic_window(setting):
    """The passcode of the label counts again, for another fabric; a second window is refused."""
    device, node = await setting.commissioned(types=("light",))
    administrators = C.AdministratorCommissioning
    commands = administrators.Commands
    await node.invoke(commands.OpenBasicCommissioningWindow(180), timedRequestTimeoutMs=5000)
    refused = await node.refused(node.invoke(
        commands.OpenBasicCommissioningWindow(180), timedRequestTimeoutMs=5000))
    check(refused == Status.Failure, f"{refused!r}")
    other = await setting.chip.commission(device.qr, by=setting.chip.of_fabric(2))
    check(await other.read(C.OperationalCredentials.Attributes.CommissionedFabrics) == 2, "two")
    check(await node.read(administrators.Attributes.WindowStatus) == 0, "it is closed again")


@test
async def subscribes_to_everything(setting):
    """Ten device types, attributes and events of each, in one subscription of many messages."""
    device, node = await setting.commissioned()
    seen = asyncio.Queue()
    loop = asyncio.get_running_loop()
    whole = await node.controller.Read(
        node.number, attributes=EVERYTHING, events=[("*", 1)], reportInterval=(0, 30),
        autoResubscribe=False)
    whole.SetAttributeUpdateCallback(
        lambda path, made: loop.call_soon_threadsafe(seen.put_nowait, path.Path.AttributeId))
    whole.SetEventUpdateCallback(
        lambda event, made: loop.call_soon_threadsafe(seen.put_nowait, type(event.Data)))
    check(len(whole.GetAttributes()) == len(TYPES) + 1, "all endpoints came")
    device.tell("contact open")
    wanted = {C.BooleanState.Attributes.StateValue.attribute_id, C.BooleanState.Events.StateChange}
    while wanted:
        try:
            wanted.discard(await asyncio.wait_for(seen.get(), 5))
        except asyncio.TimeoutError:
            raise AssertionError(f"{wanted} came not") from None
    whole.Shutdown()


@test
async def is_commissioned_over_a_bad_link(setting):
    device = setting.device(types=("light",))
    device.tell("drop 15")
    check(device.wait_for("15% is lost"), "messages get lost")
    node = await setting.chip.commission(device.qr)
    check(device.wait_for("commissioned"), "it is commissioned")
    for _ in range(10):
        await node.invoke(C.OnOff.Commands.Toggle(), 1)
    check(await node.read(C.OnOff.Attributes.OnOff, 1) is False, "each came once")
    await node.controller.ReadAttribute(node.number, EVERYTHING)


@test
async def forgets_its_fabrics_when_reset(setting):
    device, node = await setting.commissioned(types=("light",))
    device.tell("factory-reset")
    check(device.wait_for("READY", times=2), "it starts again")
    again = await setting.chip.commission(device.qr)
    check(await again.read(C.OperationalCredentials.Attributes.CurrentFabricIndex) == 1, "anew")
    check(len(await again.read(C.AccessControl.Attributes.Acl)) == 1, "one entry")


@test
async def has_room_for_five_fabrics(setting):
    _, node = await setting.commissioned(types=("light",))
    for identity in range(2, 6):
        other = await setting.chip.commission(
            await node.windowed(), by=setting.chip.of_fabric(identity))
        index = await other.read(C.OperationalCredentials.Attributes.CurrentFabricIndex)
        check(index == identity, f"fabric index {index}")
    payload = await node.windowed()
    try:
        await setting.chip.commission(payload, by=setting.chip.of_fabric(6))
    except ChipStackError:
        pass
    else:
        raise AssertionError("a sixth was taken")
    check(await node.read(C.OperationalCredentials.Attributes.CommissionedFabrics) == 5, "five")


def port_of(device):
    words = device.process.args
    return int(words[words.index("--port") + 1])


# MARK: matter-gateway beside the controller


@test
async def gateway_controls_every_kind(setting):
    device = setting.device()
    node = setting.json("pair", device.qr)["node_id"]
    readings = setting.json("read", node, "*/*/*")["readings"]
    broken = [one for one in readings if "value" not in one]
    check(len(readings) > 400 and not broken, f"{len(readings)} readings, {broken}")
    light, thermostat = (f"{node}/{ENDPOINT[name]}" for name in ("light", "thermostat"))
    for words, said in (
            (["on", light], "1: light on"), (["toggle", light], "1: light off"),
            (["level", f"{node}/2", "40"], "2: light level 40%"),
            (["thermostat", thermostat, "heat", "22.5"], "9: thermostat heat 22.5"),
            (["fan", f"{node}/10", "30"], "10: fan speed 30%"),
            (["identify", light], "1: identify 30 s"),
            (["write", node, "0/basic-information/node-label", "Flur"], None)):
        result = setting.run(*words)
        check(result.returncode == 0, f"{words}: {result.stderr}")
        check(said is None or device.wait_for(said), f"{words}: {said} was not said")
    label = setting.json("read", node, "0/basic-information/node-label")
    check(label["value"] == "Flur", label)
    refused = setting.run("write", node, "9/thermostat/occupied-heating-setpoint", "99")
    check(refused.returncode != 0, "99 °C is refused")
    shown = setting.json("show", node)
    check(len(shown["endpoints"]) == len(TYPES) + 1, shown["endpoints"])


@test
async def gateway_shares_with_the_controller(setting):
    """Each is the other's guest; what one removes, the other keeps."""
    device = setting.device(types=("light",))
    node = setting.json("pair", device.qr)["node_id"]
    guest = await setting.chip.commission(setting.json("share", node)["qr_code"])
    check(setting.run("on", node).returncode == 0, "the gateway switches it on")
    check(await guest.read(C.OnOff.Attributes.OnOff, 1) is True, "CHIP reads it")
    await guest.invoke(C.OnOff.Commands.Off(), 1)
    check(setting.json("read", node, LIGHT)["value"] is False, "the gateway reads it")
    fabrics = setting.json("fabrics", node)["fabrics"]
    check([fabric["ours"] for fabric in fabrics] == [True, False], fabrics)
    own = await guest.read(C.OperationalCredentials.Attributes.CurrentFabricIndex)
    await guest.invoke(C.OperationalCredentials.Commands.RemoveFabric(fabricIndex=own))
    fabrics = setting.json("fabrics", node)["fabrics"]
    check([fabric["ours"] for fabric in fabrics] == [True], fabrics)
    check(setting.run("on", node).returncode == 0, "the gateway still has it")

    guest = await setting.chip.commission(setting.json("share", node)["manual_code"])
    removed = setting.run("remove", node, "--yes")
    check(removed.returncode == 0, removed.stderr)
    check(device.wait_for("left fabric 1"), "the device was told")
    check(await guest.read(C.OnOff.Attributes.OnOff, 1) is True, "CHIP still has it")


@test
async def gateway_joins_what_the_controller_has(setting):
    device, owner = await setting.commissioned(types=("light",))
    node = setting.json("pair", await owner.windowed())["node_id"]
    fabrics = setting.json("fabrics", node)["fabrics"]
    check([fabric["ours"] for fabric in fabrics] == [False, True], fabrics)
    await owner.invoke(C.OnOff.Commands.On(), 1)
    check(setting.json("read", node, LIGHT)["value"] is True, "the gateway reads it")
    check(setting.run("remove", node, "--yes").returncode == 0, "it is given up")
    check(device.wait_for("left fabric 2"), "the device was told")
    check(await owner.read(C.OperationalCredentials.Attributes.CommissionedFabrics) == 1,
          "the owner still has it")


@test
async def gateway_stops_sharing(setting):
    device = setting.device(types=("light",))
    node = setting.json("pair", device.qr)["node_id"]
    setting.json("share", node)
    check(device.wait_for("window open", times=2), "it is open")
    check(setting.run("share", node, "--stop").returncode == 0, "it is told to close")
    check(device.wait_for("window closed", times=2), "it is closed")


@test
async def gateway_resumes_after_a_reboot(setting):
    device = setting.device(types=("light",))
    node = setting.json("pair", device.qr)["node_id"]
    device.tell("reboot")
    check(device.wait_for("READY", times=2), "it starts again")
    before = device.said("session resumed")
    check(setting.json("read", node, LIGHT)["value"] is False, "it is read")
    check(device.said("session resumed") == before + 1, "in a new session of its own")


@test
async def gateway_says_that_a_device_is_offline(setting):
    device = setting.device(types=("light",))
    node = setting.json("pair", device.qr)["node_id"]
    device.tell("unplug")
    check(device.wait_for("it has no power"), "it is unplugged")
    before = time.monotonic()
    result = setting.run("read", node, LIGHT)
    check(result.returncode == UNAVAILABLE and "does not answer" in result.stderr, result.stderr)
    check(time.monotonic() - before < 40, f"after {time.monotonic() - before:.0f} s")
    listed = setting.run("devices", "--refresh", "--offline")
    check(node in listed.stdout and "offline" in listed.stdout, listed.stdout)
    device.tell("plug")
    check(device.wait_for("READY", times=2), "it is plugged in")
    check(setting.run("read", node, LIGHT).returncode == 0, "and answers again")


# MARK: The program


async def main(lab):
    wanted = sys.argv[1:]
    chip_folder, authorities = lab.folder / "chip", lab.folder / "authorities"
    chip_folder.mkdir()
    authorities.mkdir()
    pem = authorities / "authority.pem"
    lab.virtual_device("--state", lab.folder / "template.device", "--paa-out", pem).stop()
    (chip_folder / "authority.der").write_bytes(chip_controller.der(pem))
    lab.enter("gateway")
    controller = Chip(chip_folder)
    passed, failed, before = 0, [], time.monotonic()
    for function in tests:
        name = function.__name__.replace("_", " ")
        if wanted and not any(word in name for word in wanted):
            continue
        setting = Setting(lab, controller, authorities, function.__name__)
        start = time.monotonic()
        try:
            controller.octets.differences.clear()
            await asyncio.wait_for(function(setting), 120)
            differences = controller.octets.differences
            check(not differences, "\n  ".join(["encoded otherwise:", *differences]))
            passed += 1
            print(f"ok      {name} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as problem:
            failed.append(name)
            print(f"FAILED  {name}: {problem!r}", flush=True)
            if isinstance(problem, AssertionError):
                print(f"  {problem}")
            else:
                traceback.print_exc()
            for device in setting.devices:
                print("  the device said:", *device.lines[3:], sep="\n    ", flush=True)
        finally:
            setting.end()
    print(f"the CHIP controller's tests took {time.monotonic() - before:.1f} s")
    print(f"{passed} passed, {len(failed)} failed", flush=True)
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    status = 1
    try:
        with Lab() as made_for_this_run:
            status = asyncio.run(main(made_for_this_run))
    except Exception:
        traceback.print_exc()
    sys.stdout.flush()
    os._exit(status)  # the stack's own shutdown can hang
