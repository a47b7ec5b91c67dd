"""Commands below `jitprobe warm` say what they say without it, from workers that are forked of the server's. A program
sees the variables and the current folder of its own command. Neither a killed command nor a killed server leaves a
process or a folder, and what is no request changes nothing."""

import json
import os
import pathlib
import signal
import socket
import subprocess
import time

from common import JITPROBE, check, folder, jitprobe

PROGRAM = """import os
import torch

def make_inputs():
    return (torch.arange(6.0),)

def program(x):
    return torch.relu(x) + SEEN

SEEN = len(os.environ.get("SEEN_BY_PROGRAMS", "")) + 10 * os.path.exists("only_here")
"""
SLEEPS = "import time\n\ndef program():\n    time.sleep(100)\n"


def wait_until(reached, what):
    deadline = time.monotonic() + 60
    while not reached():
        check(time.monotonic() < deadline, what)
        time.sleep(0.05)


def parent_of(process):
    return int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])


def processes_of(temporary):
    """The numbers of processes that this temporary folder's names start with."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if temporary.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass
    return found


def ancestors(process):
    while process > 1:
        process = parent_of(process)
        yield process


class Server:
    """`jitprobe warm` around a command that does nothing, with a temporary folder of its own."""

    def __init__(self, work):
        self.temporary = f"{work}/t"
        os.mkdir(self.temporary)
        self.environment = {"TMPDIR": self.temporary}
        words = [JITPROBE, "warm", "--", "sh", "-c", "echo $JITPROBE_WARM; exec sleep 1000"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ | self.environment)
        self.address = self.process.stdout.readline().strip()
        self.environment["JITPROBE_WARM"] = self.address

    def folders(self):
        users = f"{self.temporary}/jitprobe-{os.geteuid()}"
        return sorted(os.listdir(users)) if os.path.isdir(users) else []

    def run(self, *words, cwd=None, **more):
        return jitprobe("run", *words, env=self.environment | more, cwd=cwd)

    def start(self, path):
        return subprocess.Popen([JITPROBE, "run", path, "--backend", "plain"], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL, env=os.environ | self.environment)


def answers(work, server):
    path = f"{work}/program.py"
    pathlib.Path(path).write_text(PROGRAM)
    os.mkdir(f"{work}/here")
    pathlib.Path(f"{work}/here/only_here").write_text("")
    for backend in ("plain", "aot_eager"):
        for more in ({}, {"SEEN_BY_PROGRAMS": "abc"}):
            for cwd in (None, f"{work}/here"):
                words = (path, "--backend", backend, "--json", "--allow-read", f"{work}/here")
                alone = jitprobe("run", *words, env={"JITPROBE_WARM": ""} | more, cwd=cwd)
                for _ in range(2):
                    warm = server.run(*words, cwd=cwd, **more)
                    check((warm.returncode, told(warm)) == (alone.returncode, told(alone)), f"{warm}\n{alone}")


def told(answer):
    """What is said of the runs, without how long they took."""
    def timeless(value):
        if isinstance(value, dict):
            return {key: timeless(item) for key, item in value.items() if "seconds" not in key}
        return [timeless(item) for item in value] if isinstance(value, list) else value

    return timeless(json.loads(answer.stdout)), answer.stderr


def killed_command(work, server):
    path = f"{work}/sleeps.py"
    pathlib.Path(path).write_text(SLEEPS)
    server.run(f"{work}/program.py", "--backend", "plain")  # from here on there is such a worker
    server.before = server.folders()
    driver = server.start(path)
    wait_until(lambda: len(server.folders()) > len(server.before), "the command makes no folder")
    mine = next(name for name in server.folders() if name not in server.before)
    guard = lambda: [one for one in processes_of(mine) if one != driver.pid]  # noqa: E731
    wait_until(guard, "there is no guard")
    check(server.process.pid in ancestors(guard()[0]), "the worker isn't the server's")
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    wait_until(lambda: not guard() and mine not in server.folders(), f"left: {guard()} {server.folders()}")


def nonsense(work, server):
    for said in (b"nonsense", b"\x80", b"\x81\xa7version\x01", b""):
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as connection:
            connection.connect(server.address)
            if said:
                connection.send(said)
    answer = server.run(f"{work}/program.py", "--backend", "plain")
    check(answer.returncode == 0, f"{answer}")


def unlike(work, server):
    """Who has another mask, priority or limit gets a worker of its own, and so it is below `warm`."""
    path = f"{work}/inherits.py"
    pathlib.Path(path).write_text("""import os, resource
SEEN = (os.getpriority(os.PRIO_PROCESS, 0), resource.getrlimit(resource.RLIMIT_CORE), os.umask(0o22), os.getcwd())

def program():
    raise RuntimeError(str(SEEN))
""")
    for prefix in ("nice -n 3", "umask 077;", "ulimit -c 0;", f"cd {work}/here;"):
        command = ["sh", "-c", f'{prefix} "$0" run "$1" --backend plain --json', JITPROBE, path]
        said = [subprocess.run(command, capture_output=True, text=True, env=os.environ | {"TMPDIR": server.temporary} | one)
                for one in ({"JITPROBE_WARM": ""}, {"JITPROBE_WARM": server.address}, {"JITPROBE_WARM": server.address})]
        for one in said[1:]:
            check((one.returncode, told(one)) == (said[0].returncode, told(said[0])), f"{prefix} {one}\n{said[0]}")


def ends():
    """A signal that ends `warm` ends its command, as it would without; commands in the background keep their workers."""
    process = subprocess.Popen([JITPROBE, "warm", "--", "sh", "-c", "trap 'exit 5' TERM; echo begun; while :; do sleep 0.1; done"],
                               stdout=subprocess.PIPE, text=True)
    check(process.stdout.readline() == "begun\n", "it didn't begin")
    process.send_signal(signal.SIGTERM)
    check(process.wait() == 5, f"status {process.returncode}")
    with folder() as work:
        path = f"{work}/program.py"
        pathlib.Path(path).write_text("import time\n\ndef program():\n    time.sleep(3)\n    return 1\n")
        line = '("$0" run "$1" --backend plain --limit 60; echo status $?) & sleep 2.5'
        answer = jitprobe("warm", "--", "sh", "-c", line, JITPROBE, path)
        check(answer.returncode == 0 and "status 0" in answer.stdout + answer.stderr, f"{answer}")


def killed_server(work, server):
    """A command whose worker ends with the server goes on with one of its own."""
    before = server.folders()
    driver = server.start(f"{work}/sleeps.py")
    wait_until(lambda: len(server.folders()) > len(before), "no worker was started")
    theirs = {one for one in processes_of(server.temporary) if server.process.pid in ancestors(one)}
    check(theirs, "the server has no worker")
    server.process.send_signal(signal.SIGKILL)
    server.process.wait()
    wait_until(lambda: not theirs & set(processes_of(server.temporary)), f"left: {theirs}")
    driver.send_signal(signal.SIGINT)
    driver.wait()
    # Folders are cleared by whoever makes the next one. The address leads nowhere.
    answer = server.run(f"{work}/program.py", "--backend", "plain")
    check(answer.returncode == 0 and not server.folders(), f"{answer} {server.folders()}")


def statuses():
    for words, status in ((("--", "sh", "-c", "exit 7"), 7), ((), 2), (("--", "no-such-program"), 2)):
        answer = jitprobe("warm", *words)
        check(answer.returncode == status, f"{words}: {answer}")


def main():
    with folder() as work:
        server = Server(work)
        try:
            answers(work, server)
            killed_command(work, server)
            nonsense(work, server)
            unlike(work, server)
            killed_server(work, server)
        finally:
            server.process.kill()
        statuses()
        ends()
    print("warm workers answer alike, and end with whoever uses or keeps them")


if __name__ == "__main__":
    main()
