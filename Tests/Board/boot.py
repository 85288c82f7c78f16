"""Boots the virtual board, and stands beside it.

    boot.py KERNEL STORY [WORD...]    runs Tests/Board/STORY in it, with the words in its folder

What the story prints is shown as it comes. It asks for what somebody beside the board does by lines
in the file `beside` of the folder that both can write to: `scan TEXT` reads a label with the scanner
at the board's serial line. The exit code is the story's; 124 when it takes too long.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import tty

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 300  # seconds for all of it
MEMORY = "1G"


class Beside:
    """Reads the story's wishes, and fulfils them."""

    def __init__(self, folder, line):
        self.file, self.line, self.done = folder / "beside", line, 0
        self.file.touch()

    def look(self):
        wishes = self.file.read_text().splitlines(keepends=True)
        for wish in wishes[self.done:]:
            if not wish.endswith("\n"):
                return
            self.done += 1
            word, _, text = wish.rstrip("\n").partition(" ")
            if word == "scan":
                os.write(self.line, text.encode() + b"\r")


def main():
    kernel, story, words = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]
    line, other = os.openpty()
    tty.setraw(other)
    with tempfile.TemporaryDirectory(prefix="board-", dir=kernel.parent) as name:
        folder = pathlib.Path(name)
        (folder / "words").write_text("\n".join(words))
        with open(folder / "kernel.log", "wb") as log:
            # Console 0 is what the story says, console 1 the kernel's log.
            process = subprocess.Popen(
                [kernel, f"mem={MEMORY}", f"uml_dir={folder}", "umid=board", "root=/dev/root",
                 "rootfstype=hostfs", "rootflags=/", "ro", f"init={HERE / 'init'}",
                 "console=tty1", "con=null", "con0=null,fd:1", f"con1=null,fd:{log.fileno()}",
                 f"ssl0=tty:{os.ttyname(other)}", "ssl=null", "quiet", "panic=-1",
                 f"board_share={folder}", f"board_story={HERE / story}"],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, pass_fds=[log.fileno()],
                # Where its memory lives.
                env={**os.environ, "TMPDIR": "/dev/shm"}, start_new_session=True)
        try:
            return relay(process, Beside(folder, line), folder)
        finally:
            end(process)


def relay(process, beside, folder):
    os.set_blocking(process.stdout.fileno(), False)
    deadline = time.monotonic() + LIMIT
    while process.poll() is None:
        octets = process.stdout.read()
        if octets:
            sys.stdout.buffer.write(octets.replace(b"\r", b""))
            sys.stdout.flush()
        beside.look()
        if time.monotonic() > deadline:
            print(f"the board is not done after {LIMIT} s")
            return 124
        time.sleep(0.02)
    octets = process.stdout.read()
    if octets:
        sys.stdout.buffer.write(octets.replace(b"\r", b""))
    code = folder / "code"
    if code.exists():
        return int(code.read_text())
    print("the board died; its kernel said last:")
    print("".join((folder / "kernel.log").read_text(errors="replace").splitlines(True)[-30:]))
    return 125


def end(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


if __name__ == "__main__":
    sys.exit(main())
