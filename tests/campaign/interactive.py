"""`jitprobe mutate FILE --interactive`, the whole way as a person goes it, on a pseudo-terminal; and the same commands from
a pipe."""

import fcntl
import os
import pathlib
import pty
import re
import select
import subprocess
import termios
import time

from common import JITPROBE, check, folder, jitprobe

PROGRAM = """import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(x):
    y = torch.relu(x) + 1
    z = y * 2
    return z.sum(0)
"""
# A backend that hangs while it compiles, and says which process it is.
HANGS = """import os, time
import torch


def hang(graph, inputs):
    with open({!r}, "w") as file:
        file.write(str(os.getpid()))
    time.sleep(1000)


def compile(fn, **options):
    return torch.compile(fn, backend=hang, **options)
"""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\r")
LIMIT = 240  # seconds for one answer, which may start a worker on a busy machine
PROMPT = "mutate> "
# The backend that hangs writes into a folder that is not its own.
UNCONFINED = {"JITPROBE_SANDBOX": "off"}


class Terminal:
    """jitprobe on a pseudo-terminal."""

    def __init__(self, *words, state):
        """`state`: the folder in which its history is kept."""
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([JITPROBE, *map(str, words)], stdin=slave, stdout=slave, stderr=slave,
                                        env=os.environ | UNCONFINED | {"TERM": "xterm", "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": str(state)},
                                        start_new_session=True,
                                        preexec_fn=lambda: self.own(slave))
        os.close(slave)
        self.seen = ""

    @staticmethod
    def own(slave):
        """Makes the terminal the process's own, so that Ctrl-C reaches it."""
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

    def until(self, text):
        """What is written up to this text, which must come."""
        end = time.monotonic() + LIMIT
        while text not in (plain := ESCAPES.sub("", self.seen)):
            ready, _, _ = select.select([self.master], [], [], 1)
            check(time.monotonic() < end, f"'{text}' does not come, but: {plain[-3000:]}")
            if ready:
                try:
                    self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:
                    check(False, f"it ended before '{text}': {plain[-3000:]}")
        before, _, self.seen = plain.partition(text)
        return before

    def prompt(self):
        """What is written up to the next prompt. The line editor writes it a moment before it takes the keys over from
        the terminal, which echoes until then and keeps a Ctrl-D for itself."""
        before = self.until(PROMPT)
        end = time.monotonic() + LIMIT
        while termios.tcgetattr(self.master)[3] & termios.ICANON:
            check(time.monotonic() < end, "the prompt is there, and the line editor is not")
            time.sleep(0.005)
        return before

    def type(self, keys):
        os.write(self.master, keys.encode())

    def say(self, line):
        """Types a command; its answer without the echo of what was typed."""
        self.type(line + "\n")
        self.until("\n")
        return self.prompt()

    def wait(self):
        end = time.monotonic() + LIMIT
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    os.read(self.master, 65536)
                except OSError:
                    pass
        return self.process.poll()


def first_that_applies(terminal):
    """Makes a step of the list: a mutation may refuse a site when it is to write its change."""
    for number in range(20):
        if "step " in (made := terminal.say(f"apply {number}")):
            return made
    return made


def is_off(steps):
    return re.search(r"^ +1  off ", steps, re.M) is not None


def whole_way(work):
    path, saved = f"{work}/program.py", f"{work}/saved.py"
    pathlib.Path(path).write_text(PROGRAM)
    terminal = Terminal("mutate", path, "--interactive", "--seed", 7, state=f"{work}/state")
    check("help lists" in terminal.prompt(), "no word of help")
    listed = terminal.say("list")
    check("sites" in listed and "@s" in listed, listed)
    check("filter: line=9" in terminal.say("filter line=9"), "the filter is not told")
    filtered = terminal.say("list all")
    lines = [one for one in filtered.splitlines() if "@s" in one]
    check(lines and all(" line   9 " in one for one in lines), filtered)
    for number in range(3):
        terminal.say("filter exactness=bitwise")
        check("@" in terminal.say("list"), "no site")
        made = first_that_applies(terminal)
        check(f"step {number}: " in made and "=" in made and "@@" in made, made)
    whole = terminal.say("show")
    check(is_off(terminal.say("off 1")) and is_off(terminal.say("steps")), "the step is not off")
    fewer = terminal.say("show")
    check(fewer != whole, "a step that is off is still there")
    judged = terminal.say("run eager explain")
    check("eager: agree" in judged and "eager compiled" in judged, judged)
    check("+" in terminal.say("diff") and "no difference" in terminal.say("diff 1"), "diff")
    check("written to" in terminal.say(f"save {saved}"), "save")
    check(pathlib.Path(saved).read_text().split() == fewer.split(), "another program is saved")
    check("exists" in terminal.say(f"save {path}") and pathlib.Path(path).read_text() == PROGRAM, "it overwrote the file")
    check(not is_off(terminal.say("undo")) and terminal.say("show") == whole, "undo")
    check(is_off(terminal.say("redo")) and terminal.say("show") == fewer, "redo")
    check(not is_off(terminal.say("on 1")) and terminal.say("show") == whole, "on")
    steps = [line for line in terminal.say("lineage").splitlines() if "@" in line]
    check(len(steps) == 3, steps)
    answer = jitprobe("mutate", path, *(word for step in steps for word in ("--apply", step)))
    check(answer.returncode == 0 and answer.stdout.split() == whole.split(), f"{steps}: {answer.stdout} {answer.stderr}")
    check("there is no command 'fly'" in terminal.say("fly"), "a wrong command")
    check("nothing to redo" in terminal.say("redo"), "redo of nothing")
    keys(terminal, whole)
    words(terminal, path)
    cancels(terminal, work)
    terminal.type("\x04")
    check(terminal.wait() == 0, f"Ctrl-D: {terminal.process.poll()}")
    later = Terminal("mutate", path, "--interactive", state=f"{work}/state")
    later.prompt()
    later.type("\x1b[A")
    later.until("run eager")  # the last line of the session before
    later.type("\x15\x04")
    check(later.wait() == 0, "a second session")


def keys(terminal, whole):
    terminal.type("sho\t")
    terminal.until("show ")
    terminal.type("\n")
    check(whole.split() == terminal.prompt().split(), "TAB does not complete a command")
    terminal.type("\x1b[A\n")  # the line before
    terminal.until("show")
    check(whole.split() == terminal.prompt().split(), "the line before is another one")
    terminal.type("s\t")
    listed = terminal.until("save")
    terminal.type("te\t")
    terminal.until("steps ")
    terminal.type("\n")
    check("steps" in listed and "show" in listed and "@" in terminal.prompt(), f"TAB does not list what fits: {listed}")
    terminal.type("rubbish")
    terminal.until("rubbish")
    terminal.type("\x03")
    terminal.prompt()
    check("no command" not in terminal.say("steps"), "Ctrl-C does not drop the line")
    terminal.type("stepsx\x7f\n")  # backspace
    terminal.until("\n")
    check("@" in terminal.prompt(), "a line can't be edited")


def words(terminal, path):
    """What TAB completes of a command's words."""
    for typed, completed in ((f"lineage {path[:-6]}\t", f"{path} "), ("run eag\t", "eager "),
                             ("filter exactness=br\t", "exactness=broken "), ("apply wrap_tr\t", "wrap_try@")):
        terminal.type(typed)
        terminal.until(completed)
        terminal.type("\x15\n")  # drops the line
        terminal.prompt()
    terminal.type("filter sec\t")
    terminal.until("section=")
    terminal.type("B\n")
    check("filter: section=B" in terminal.prompt(), "a blank stands behind section=")
    terminal.say("filter none")


def cancels(terminal, work):
    mark = pathlib.Path(work) / "started"
    pathlib.Path(f"{work}/hangs.py").write_text(HANGS.format(str(mark)))
    terminal.type(f"run {work}/hangs.py\n")
    end = time.monotonic() + LIMIT
    while not (mark.exists() and mark.read_text()):
        check(time.monotonic() < end, "the run does not begin")
        time.sleep(0.1)
    process = int(mark.read_text())
    terminal.type("\x03")
    terminal.until("cancelled")
    terminal.prompt()
    end = time.monotonic() + 30
    while os.path.exists(f"/proc/{process}") and time.monotonic() < end:
        time.sleep(0.1)
    check(not os.path.exists(f"/proc/{process}"), "the cancelled run goes on")
    check("eager: agree" in terminal.say("run eager"), "no run after one that was cancelled")


def from_a_pipe(work):
    path = f"{work}/piped.py"
    pathlib.Path(path).write_text(PROGRAM)
    words = [str(JITPROBE), "mutate", path, "--interactive"]
    told = subprocess.run(words, input=f"filter line=9\nlist\napply 0\nfly\n\nsave {work}/out.py\nquit\nshow\n",
                          capture_output=True, text=True, timeout=LIMIT)
    check(told.returncode == 2 and told.stderr.count("jitprobe: ") == 1 and "'fly'" in told.stderr, told)
    check("step 0: " in told.stdout and "mutate>" not in told.stdout and "\x1b" not in told.stdout, told.stdout)
    made = pathlib.Path(f"{work}/out.py").read_text()
    check(made != PROGRAM and "import torch" not in told.stdout.split("written to")[1], "it goes on after quit")
    told = subprocess.run(words, input="show", capture_output=True, text=True, timeout=LIMIT)
    check(told.returncode == 0 and told.stdout == PROGRAM and not told.stderr, told)
    told = jitprobe("mutate", f"{work}/none.py", "--interactive")
    check(told.returncode == 2 and "none.py" in told.stderr, told)


with folder() as work:
    from_a_pipe(work)
    whole_way(work)
