"""Our cluster tables against those of CHIP: ids, tags, names, types, null, optional, timed, writable.

oracle.py TABLES, where TABLES is what ClusterTableTests wrote. CHIP's tables are the Python objects
of home-assistant-chip-clusters (the version is in requirements-chip.txt). They know no widths of
integers and no bitmaps: both are plain numbers there. Every difference must be among EXCEPTIONS,
and every exception must still be a difference.
"""
import collections
import enum
import fnmatch
import json
import sys
import typing

from chip.clusters import Objects
from chip.clusters.CHIPClusters import ChipClusters
from chip.clusters.ClusterObjects import ClusterObject
from chip.clusters.Types import Nullable

# Where we differ, as patterns of the lines below, and why that is right.
EXCEPTIONS = {
    "*.fabricIndex: optional True, CHIP False":
        "a client leaves it out when it writes",
    "network-commissioning/*: value ? is mhz*, CHIP *g*": "no Swift name starts with a digit",
    "network-commissioning: no command QueryIdentity": "provisional, PDC",
    "network-commissioning/*: no field ? networkIdentity": "provisional, PDC",
    "network-commissioning/*: no field ? client*": "provisional, PDC",
    "network-commissioning/*: no field ? possession*": "provisional, PDC",
    "basic-information: no command MfgSpecificPing": "CHIP's own",
    "operational-credentials: no command S*VIDVerification*": "newer than our edition",
    "power-source/bat-common-designation: UInt16, CHIP *": "eighty sizes of batteries, a number",
    "power-source/bat-approved-chemistry: UInt16, CHIP *": "thirty kinds of batteries, a number",
    # Structures that people hardly read, shown by tag: each costs the program kilobytes.
    "electrical-power-measurement/accuracy: untyped": "rarely read",
    "electrical-power-measurement/ranges: untyped": "rarely read",
    "electrical-power-measurement/harmonic-*: untyped": "rarely read",
    "electrical-energy-measurement/accuracy: untyped": "rarely read",
    "electrical-energy-measurement/cumulative-energy-reset: untyped": "rarely read",
    "illuminance-measurement/light-sensor-type: UInt8, CHIP *": "makers add their own",
}

# Our Swift types for the types of CHIP.
LEAVES = {
    "uint": ["UInt8", "UInt16", "UInt32", "UInt64", "NodeID", "FabricID", "FabricIndex",
             "VendorID", "ProductID", "EndpointID", "ClusterID", "AttributeID", "CommandID",
             "EventID", "DeviceTypeID", "GroupID", "OnOffControl", "WiFiSecurity",
             "ThreadCapabilities"],
    "int": ["Int8", "Int16", "Int32", "Int64"],
    "str": ["String"],
    "bytes": ["Octets", "Secret", "FixedBytes"],
    "bool": ["Bool"],
    "float32": ["Float"],
}

differences = []
counted = collections.Counter()


def plain(name):
    """Names are compared without case and dashes; the two spell acronyms differently."""
    return name.replace("-", "").replace("_", "").lower()


def differ(place, what):
    differences.append(f"{place}: {what}")


def unwrapped(ours):
    optional = nullable = False
    while ours["kind"] in ("optional", "nullable"):
        optional |= ours["kind"] == "optional"
        nullable |= ours["kind"] == "nullable"
        ours = ours["of"]
    return optional, nullable, ours


def parts(theirs):
    """Optional, nullable and what is left of a type of CHIP."""
    if typing.get_origin(theirs) is not typing.Union:
        return False, False, theirs
    options = typing.get_args(theirs)
    rest = [option for option in options if option not in (type(None), Nullable)]
    return type(None) in options, Nullable in options, rest[0]


def compare_type(place, ours, theirs, is_attribute=False):
    optional, nullable, theirs = parts(theirs)
    if ours["kind"] == "untyped":
        return differ(place, "untyped")
    our_optional, our_nullable, ours = unwrapped(ours)
    # Whether a device has an attribute is not part of the attribute's type.
    if our_optional != optional and not is_attribute:
        differ(place, f"optional {our_optional}, CHIP {optional}")
    if our_nullable != nullable:
        differ(place, f"nullable {our_nullable}, CHIP {nullable}")
    if typing.get_origin(theirs) is list:
        if ours["kind"] == "list":
            compare_type(place + "[]", ours["of"], typing.get_args(theirs)[0])
        else:
            differ(place, f"{ours['kind']}, CHIP list")
    elif issubclass(theirs, ClusterObject):
        if ours["kind"] == "struct":
            compare_fields(place, ours["fields"], theirs)
        else:
            differ(place, f"{ours['kind']}, CHIP {theirs.__name__}")
    elif issubclass(theirs, enum.Enum):
        if ours["kind"] == "enum":
            compare_cases(place, ours["cases"], theirs)
        else:
            differ(place, f"{ours.get('name', ours['kind'])}, CHIP {theirs.__name__}")
    elif ours["kind"] != "leaf":
        differ(place, f"{ours['kind']}, CHIP {theirs.__name__}")
    elif ours["name"].partition("<")[0] not in LEAVES[theirs.__name__]:
        differ(place, f"{ours['name']}, CHIP {theirs.__name__}")


def compare_cases(place, cases, theirs):
    counted["enum"] += 1
    their_cases = {case.value: case.name[1:] for case in theirs
                   if "UnknownEnum" not in case.name}
    for number, ours, case in pairs({number: name for name, number in cases}, their_cases):
        if ours is None or case is None or plain(ours) != plain(case):
            differ(place, f"value {number} is {ours}, CHIP {case}")


def compare_fields(place, fields, theirs):
    ours = {field["tag"]: field for field in fields}
    for tag, field, descriptor in pairs(
            ours, {field.Tag: field for field in theirs.descriptor.Fields}):
        if field is None:
            differ(place, f"no field {tag} {descriptor.Label}")
        elif descriptor is None:
            differ(place, f"field {tag} {field['name']} unknown to CHIP")
        else:
            counted["field"] += 1
            if field["name"] != descriptor.Label:
                differ(place, f"field {tag} is {field['name']}, CHIP {descriptor.Label}")
            compare_type(f"{place}.{field['name']}", field["type"], descriptor.Type)


def compare_attributes(name, attributes, theirs):
    writable = {number: info.get("writable", False) for number, info
                in ChipClusters._CLUSTER_ID_DICT[theirs.id]["attributes"].items()}
    descriptors = {field.Tag: field for field in theirs.descriptor.Fields if field.Tag < 0xFFF8}
    for number, ours, descriptor in pairs({line["id"]: line for line in attributes}, descriptors):
        if ours is None:
            differ(name, f"no attribute {number:#06x} {descriptor.Label}")
        elif descriptor is None:
            differ(name, f"attribute {number:#06x} {ours['name']} unknown to CHIP")
        else:
            counted["attribute"] += 1
            place = f"{name}/{ours['name']}"
            if plain(ours["name"]) != plain(descriptor.Label):
                differ(place, f"CHIP {descriptor.Label}")
            if ours["writable"] != writable.get(number):
                differ(place, f"writable {ours['writable']}, CHIP {writable.get(number)}")
            compare_type(place, ours["type"], descriptor.Type, is_attribute=True)


def compare_commands(name, commands, theirs):
    declared = [command for command in vars(getattr(theirs, "Commands", object)).values()
                if hasattr(command, "command_id")]
    requests = {command.command_id: command for command in declared if command.is_client}
    responses = {command.__name__: command for command in declared if not command.is_client}
    for number, ours, command in pairs({line["id"]: line for line in commands}, requests):
        if ours is None:
            differ(name, f"no command {command.__name__}")
            continue
        if command is None:
            differ(name, f"command {number:#04x} {ours['name']} unknown to CHIP")
            continue
        counted["command"] += 1
        place = f"{name}/{ours['name']}"
        if plain(ours["name"]) != plain(command.__name__):
            differ(place, f"CHIP {command.__name__}")
        if ours["timed"] != bool(command.must_use_timed_invoke):
            differ(place, f"timed {ours['timed']}, CHIP {command.must_use_timed_invoke}")
        compare_fields(place, ours["fields"], command)
        response = ours["response"]
        if (response and response["name"]) != command.response_type:
            differ(place, f"response {response and response['name']}, CHIP {command.response_type}")
        elif response:
            counted["response"] += 1
            answer = responses[command.response_type]
            if response["id"] != answer.command_id:
                differ(place, f"response {response['id']:#04x}, CHIP {answer.command_id:#04x}")
            compare_fields(f"{place}>", response["fields"], answer)


def pairs(ours, theirs):
    """(key, ours or None, theirs or None) for all keys, in their order."""
    return [(key, ours.get(key), theirs.get(key)) for key in sorted({*ours, *theirs})]


def compare(tables):
    clusters = {cluster.id: cluster for cluster in vars(Objects).values()
                if isinstance(cluster, type) and isinstance(getattr(cluster, "id", None), int)}
    for table in tables:
        counted["cluster"] += 1
        name, theirs = table["name"], clusters.get(table["id"])
        if theirs is None:
            differ(name, f"cluster {table['id']:#06x} unknown to CHIP")
            continue
        if plain(name) != plain(theirs.__name__):
            differ(name, f"CHIP {theirs.__name__}")
        compare_attributes(name, table["attributes"], theirs)
        compare_commands(name, table["commands"], theirs)


def main(path):
    with open(path, encoding="utf-8") as file:
        compare(json.load(file))
    unused = set(EXCEPTIONS)
    failures = []
    for line in differences:
        known = [pattern for pattern in EXCEPTIONS if fnmatch.fnmatchcase(line, pattern)]
        unused -= set(known)
        if not known:
            failures.append(line)
    new = len(failures)
    failures += [f"no longer a difference: {pattern}" for pattern in sorted(unused)]
    numbers = ", ".join(f"{number} {what}s" for what, number in counted.items())
    print(f"compared with CHIP: {numbers}; {len(differences) - new} differences known, {new} new")
    for line in failures:
        print(line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
