"""Writes the test vectors as first inputs: seeds.py FOLDER. Each target takes its own from there."""
import json
import pathlib
import re
import sys

VECTORS = pathlib.Path(__file__).resolve().parent.parent / "Vectors"
# What is bytes goes in as it is, what is one of several pieces with its length before it.
WHOLE = {
    "tlv": ["tlv", "interaction", "certificates"],
    "certificate": ["certificates", "attestation"],
    "declaration": ["attestation"],
    "advertisement": ["btp"],
}
PIECES = {
    "session": ["messages", "interaction"],
    "pase": ["spake2p"],
    "case": ["case_sigma"],
    "interaction": ["interaction"],
    "server": ["interaction"],
    "dns": ["mdns"],
    "btp": ["btp"],
    "att": ["btp"],
}
TEXTS = {
    "payload": ["setup_payload"],
    "label": ["setup_payload"],
}
LINES = {
    "console": ["pair MT:Y.K9042C00KA0648G00 --name x", "read 1 2/on-off/on-off", "level a 40",
                "thermostat b heat 21.5", "history x --since 2d --csv", "wifi set \"a b\" --hidden",
                "alert x temperature > 8 for 10m", "settings window-seconds 300"],
    "payload": ["MT:Y.K9042C00KA0648G00", "34970112332", "749701123365521327694"],
    "label": ["WIFI:T:WPA;S:a\\;b;P:12345678;H:true;;", "ROOM:Cellar", "NAME:Pump"],
    "configuration": ["button = GPIO17,active-low,pull-up\nscanner = /dev/ttyACM0\n",
                      "mqtt-broker = mqtts://broker.example\n"],
    "mqtt": ['{"endpoint": 1, "on": true, "level": 40, "seconds": 2}',
             '{"heat": 21.5, "mode": "heat"}', '{"code": "MT:Y.K9042C00KA0648G00", "name": "x"}'],
    "frames": ["\x01\x00\x00\x00\x05hello"],
    "dataset": ["0e080000000000010000000300000f4a0300001035060004001fffe0"],
}


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for member in value.values():
            yield from strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)


def octets(name):
    for text in strings(json.loads((VECTORS / f"{name}.json").read_text())):
        digits = re.sub(r"\s", "", text)
        if len(digits) >= 8 and len(digits) % 2 == 0 and re.fullmatch("[0-9a-fA-F]+", digits):
            yield bytes.fromhex(digits)


def piece(value):
    count = min(len(value), 2047)
    return bytes([count & 255, count >> 8]) + value[:count]


def main(folder):
    seeds = {}
    for target, names in WHOLE.items():
        for name in names:
            seeds.setdefault(target, []).extend(octets(name))
    for target, names in PIECES.items():
        for name in names:
            for value in octets(name):
                for kind in (0, 1):
                    seeds.setdefault(target, []).append(bytes([kind, 5]) + piece(value))
                    seeds[target].append(bytes([kind]) + piece(value))
    for target, names in TEXTS.items():
        for name in names:
            texts = strings(json.loads((VECTORS / f"{name}.json").read_text()))
            seeds.setdefault(target, []).extend(text.encode() for text in texts)
    for target, lines in LINES.items():
        seeds.setdefault(target, []).extend(line.encode("latin-1") for line in lines)
    for target, values in seeds.items():
        place = pathlib.Path(folder, target)
        place.mkdir(parents=True, exist_ok=True)
        for number, value in enumerate(values):
            (place / f"{number:04}").write_bytes(value)


main(sys.argv[1])
