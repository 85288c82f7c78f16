"""The CHIP controller as a yardstick: commissions what it is told and says how long it took.

Reads one line a device from standard input, `NODE DISCRIMINATOR PASSCODE`, and prints
`SECONDS number` or `FAILED reason`; READY comes first, once it is started, and the library puts
lines of its own between. The time is that of the commissioning call alone: process start,
storage and its own certificates come before.
"""
import asyncio
import os
import pathlib
import sys
import tempfile
import time

import chip.CertificateAuthority
import chip.logging
import chip.native
from chip.ChipStack import ChipStack
from chip.discovery import FilterType
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

# This build keeps files of its own there and aborts when it cannot.
pathlib.Path("/data").mkdir(exist_ok=True)
NO_BLUETOOTH = 999  # an adapter that is not there
# The key of the authority "Matter Test PAA", to which CircuitMatter's certificates lead.
TEST_AUTHORITY = bytes.fromhex("785CE705B86B8F4E6FC793AA60CB43EA696882D5")


def write_test_authority(folder):
    """The native library carries that authority's certificate; the controller wants a file."""
    library = next(pathlib.Path(chip.native.__file__).parent.parent.glob("*.so")).read_bytes()
    at = library.find(TEST_AUTHORITY)
    while at >= 0:
        start = library.rfind(b"\x30\x82", max(0, at - 512), at)
        while start >= 0:
            der = library[start:start + 4 + int.from_bytes(library[start + 2:start + 4], "big")]
            try:
                certificate = x509.load_der_x509_certificate(der)
                if certificate.subject == certificate.issuer:
                    (folder / "authority.der").write_bytes(der)
                    return
            except ValueError:
                pass
            start = library.rfind(b"\x30\x82", max(0, at - 512), start)
        at = library.find(TEST_AUTHORITY, at + 1)
    sys.exit("this CHIP library does not carry the test authority")


def der(pem):
    """The octets of the certificate in a file of the text form."""
    return x509.load_pem_x509_certificate(pem.read_bytes()).public_bytes(Encoding.DER)


def start(folder):
    """The stack, to be kept alive, and what makes the authorities of fabrics."""
    chip.native.Init(NO_BLUETOOTH)
    chip.logging.SetLogFilter(chip.logging.LOG_CATEGORY_NONE)
    stack = ChipStack(persistentStoragePath=str(folder / "storage.json"),
                      enableServerInteractions=False)
    return stack, chip.CertificateAuthority.CertificateAuthorityManager(stack)


def controller(folder):
    stack, authorities = start(folder)
    write_test_authority(folder)
    authority = authorities.NewCertificateAuthority()
    fabric = authority.NewFabricAdmin(vendorId=0xFFF1, fabricId=1)
    made = fabric.NewController(nodeId=112233, paaTrustStorePath=str(folder),
                                useTestCommissioner=False)
    return made, (stack, authorities)  # the second is to be kept alive


async def commission(made, node, discriminator, passcode):
    before = time.monotonic()
    await made.CommissionOnNetwork(node, passcode, FilterType.LONG_DISCRIMINATOR, discriminator)
    return time.monotonic() - before


async def main(folder):
    made, kept = controller(folder)
    print("READY", flush=True)
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        try:
            seconds = await commission(made, *map(int, line.split()))
            print(f"SECONDS {seconds:.4f}", flush=True)
        except Exception as problem:
            print("FAILED", repr(problem).replace("\n", " "), flush=True)
    del kept


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="chip-") as made_for_this_run:
        asyncio.run(main(pathlib.Path(made_for_this_run)))
    sys.stdout.flush()
    os._exit(0)  # the stack's own shutdown can hang
