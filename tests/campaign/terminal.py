"""What programs say moves no terminal: on one, control characters are shown as escapes; a pipe gets the bytes. The
live view of a campaign is drawn in its place, and one whose terminal is closed ends cleanly. Labels wait for whoever writes the campaign, and temporary folders go
with their owners."""

import fcntl
import glob
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time

from common import JITPROBE, ROOT, check, folder, jitprobe

EVIL = """import torch

def make_inputs():
    return (torch.arange(6.0),)

def program(x):
    name = '\033]0;owned\007'
    assert x.numel() == 6, '\033[2J'
    return torch.relu(x) + len(name)
"""


def written_to(master):
    """What programs write to a terminal, as it comes, until the last of them ends."""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:
            break
        if not part:
            break
        yield part
    os.close(master)


def on_terminal(*words):
    """What jitprobe writes to a terminal, and its exit status."""
    master, slave = pty.openpty()
    process = subprocess.Popen([JITPROBE, *map(str, words)], stdout=slave, stderr=slave, stdin=slave,
                               env=os.environ | {"TERM": "xterm"})
    os.close(slave)
    return b"".join(written_to(master)), process.wait()


def texts(work):
    path = f"{work}/evil.py"
    with open(path, "w") as file:
        file.write(EVIL)
    step = ("mutate", path, "--random", "2", "--seed", "3")
    for words in (step, (*step, "--diff")):
        written, status = on_terminal(*words)
        check(status == 0, f"{words}: {written}")
        check(b"\033]0;" not in written and b"\007" not in written and b"\033[2J" not in written, f"{words}: {written}")
    written, _ = on_terminal(*step)
    check(b"\\x1b]0;owned\\x07" in written, f"the text is not shown: {written}")
    plain = subprocess.run([JITPROBE, *step], capture_output=True)
    check(b"\033]0;owned\007" in plain.stdout, "a pipe must get the bytes")
    written, status = on_terminal("run", f"{work}/\033[31mnone.py")
    check(status == 2 and b"\033[31m" not in written and b"\\x1b[31m" in written, f"{written}")


class Screen:
    """What a terminal shows of what is written to it: text, line breaks, cursor up, erase to the end of the screen."""

    def __init__(self):
        self.rows, self.row, self.column = [""], 0, 0

    def write(self, text):
        for piece in re.findall(r"\x1b\[\d*[A-Za-z]|[\r\n]|[^\x1b\r\n]+", text):
            if piece == "\r":
                self.column = 0
            elif piece == "\n":
                self.row, self.column = self.row + 1, 0
                self.rows += [""] * (self.row + 1 - len(self.rows))
            elif piece == "\x1b[J":
                self.rows[self.row] = self.rows[self.row][: self.column]
                del self.rows[self.row + 1 :]
            elif piece.startswith("\x1b["):
                check(piece[-1] == "A", f"an unknown sequence: {piece!r}")
                self.row -= int(piece[2:-1])
                check(self.row >= 0, "the cursor leaves the screen")
            else:
                row = self.rows[self.row]
                self.rows[self.row] = row[: self.column] + piece + row[self.column + len(piece) :]
                self.column += len(piece)


WIDTH, HEIGHT = 70, 9


def live_view(work):
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    words = ["fuzz", "--known", ROOT / "tests" / "campaign" / "several_known", "--tests", "16", "--seed", "5", "--jobs", "2",
             "--backend", "plain", "--campaign", f"{work}/watched"]
    process = subprocess.Popen([JITPROBE, *words], stdout=subprocess.DEVNULL, stderr=slave, stdin=slave)
    os.close(slave)
    screen, live = Screen(), []
    for part in written_to(master):
        screen.write(part.decode(errors="replace"))
        shown = [row for row in screen.rows if row.startswith("job ")]
        if shown:
            live = list(screen.rows) if len(shown) == 2 else live
            check(len(shown) <= 2, f"lines of jobs are left: {screen.rows}")
    check(process.wait() == 0, f"exit {process.returncode}: {screen.rows}")
    check(live, f"no live view: {screen.rows}")
    view = live[next(i for i, row in enumerate(live) if re.match(r"\d+:\d\d(, \d+:\d\d left)? · \d+ of 16 tests, ", row)) :]
    check([row.split()[0] for row in view[1:]] == ["findings", "time", "disk", "job", "job"], f"the view: {view}")
    check(len(view) < HEIGHT and all(len(row) < WIDTH for row in view), f"it does not fit: {view}")
    check(not any(row.startswith(("job ", "findings ", "time ", "disk ")) for row in screen.rows),
          f"the view is left at the end: {screen.rows}")
    check(any("1 known bug:" in row for row in screen.rows), f"what was said before it is gone: {screen.rows}")


def terminal_is_closed(work):
    """A campaign whose terminal is closed ends as by Ctrl-C, and goes on later."""
    words = ["fuzz", "--known", "none", "--tests", "1000", "--seed", "5", "--jobs", "1", "--backend", "plain", "--campaign",
             f"{work}/closed"]
    process, master = pty.fork()
    if process == 0:
        os.execv(JITPROBE, [str(JITPROBE), *words])
    shown = b""
    while b" tests, " not in shown:
        shown += os.read(master, 65536)
    os.close(master)
    _, status = os.waitpid(process, 0)
    check(os.waitstatus_to_exitcode(status) == 0, f"status {status}: {shown[-2000:]}")
    answer = jitprobe("fuzz", "--campaign", f"{work}/closed", "--resume", "--tests", "3", "--jobs", "1")
    check(answer.returncode == 0, f"{answer.returncode}: {answer.stderr[-2000:]}")


def labels_wait(work):
    campaign = f"{work}/campaign"
    answer = jitprobe("fuzz", "--known", "none", "--tests", 1, "--seed", 11, "--jobs", 1, "--reduce", 0, "--backend",
                      ROOT / "tests" / "puzzles" / "lost_side_effect.py", "--campaign", campaign)
    check(answer.returncode == 1, answer.stderr[-2000:])
    finding = sorted(os.listdir(f"{campaign}/findings"))[0]
    with open(f"{campaign}/campaign.lock", "r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        answer = jitprobe("findings", "label", finding, "false", "--campaign", campaign)
        check(answer.returncode == 2 and "being written" in answer.stderr, f"{answer.returncode}: {answer.stderr}")
    answer = jitprobe("findings", "label", finding, "false", "--campaign", campaign)
    check(answer.returncode == 0, answer.stderr)


def folders_go(work):
    temporary = f"{work}/tmp"
    os.mkdir(temporary)
    environment = {"TMPDIR": temporary, "JITPROBE_WARM": ""}  # the guard is its own, and opens the log
    users = f"{temporary}/jitprobe-{os.geteuid()}"
    words = ["fuzz", "--known", "none",
             "--tests", "100", "--seed", "5", "--jobs", "1", "--backend", "plain", "--campaign", f"{work}/killed"]
    driver = subprocess.Popen([JITPROBE, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              env=os.environ | environment)
    # Killed before that, a driver leaves its folder to whoever makes the next one.
    while driver.poll() is None and not glob.glob(f"{users}/*/log"):
        time.sleep(0.02)
    check(driver.poll() is None, "the campaign ended before it could be killed")
    check(os.stat(users).st_mode & 0o777 == 0o700, "others can look into it")
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    deadline = time.monotonic() + 30
    while os.listdir(users) and time.monotonic() < deadline:
        time.sleep(0.05)
    check(not os.listdir(users), f"left: {os.listdir(users)}")
    os.makedirs(f"{users}/tmp-runner-abcdef/child-0")
    answer = jitprobe("run", f"{work}/evil.py", "--backend", "plain",
                      env=environment)
    check(answer.returncode == 0, f"{answer.stdout}{answer.stderr}")
    check(not os.listdir(users), f"left: {os.listdir(users)}")
    os.rmdir(users)
    os.symlink(work, users)
    answer = jitprobe("run", f"{work}/evil.py", "--backend", "plain", env=environment)
    check(answer.returncode == 2 and "is no folder" in answer.stderr, f"{answer.stdout}{answer.stderr}")


def main():
    with folder() as work:
        texts(work)
        live_view(work)
        terminal_is_closed(work)
        labels_wait(work)
        folders_go(work)
    print("no escape sequence reaches a terminal, labels wait, temporary folders go")


if __name__ == "__main__":
    main()
