"""A server of `jitprobe explore` and a client of it, for the tests."""

import http.client
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "campaign"))
from common import JITPROBE, ROOT, check, folder, jitprobe, last_json  # noqa: E402, F401

# What the server looks for in the files of the page: it refuses those of another version.
VERSION = re.search(r"kPageVersion = (\d+);", (ROOT / "explore/page.h").read_text(encoding="utf-8"))[1]
MARK = f'<meta name="jitprobe-page" content="{VERSION}">'
PAGE = f"<!doctype html>{MARK}<title>jitprobe</title>"
SECONDS = 120  # for anything that needs a worker, on a loaded machine


def children_of(pid):
    """The processes below one, as {pid: name}."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as file:
                    name, rest = file.read().split("(", 1)[1].rsplit(")", 1)
                parents[int(entry)] = int(rest.split()[1]), name
            except OSError:
                pass
    found, below = {}, [pid]
    for above in below:
        for child, (parent, name) in parents.items():
            if parent == above and child not in found:
                found[child] = name
                below.append(child)
    return found


def until(condition, what):
    """Waits until the condition gives something true, and returns it."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.05)
    check(False, f"waited in vain: {what}")
    return None


class Events:
    """The events of a stream, as (name, data)."""

    def __init__(self, connection, response):
        self.connection, self.response = connection, response

    def __iter__(self):
        name = ""
        for line in self.response:
            line = line.decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                yield name, json.loads(line[6:])

    def named(self, wanted):
        """The data of the next event of that name."""
        for name, data in self:
            check(name != "failed" or wanted == "failed", f"a stream failed: {data}")
            if name == wanted:
                return data
        check(False, f"the stream ended without '{wanted}'")
        return None

    def close(self):
        self.response.close()
        self.connection.close()


class Server:
    """`jitprobe explore --no-open WORDS`, until the block ends; then it must end by itself, with all its processes."""

    def __init__(self, work, *words):
        page = pathlib.Path(work) / "page"
        page.mkdir(exist_ok=True)
        (page / "page.html").write_text(PAGE, encoding="utf-8")
        self.process = subprocess.Popen([str(JITPROBE), "explore", "--no-open", *map(str, words)], stdout=subprocess.PIPE,
                                        text=True, env=os.environ | {"JITPROBE_PAGE": str(page)})
        self.url = self.process.stdout.readline().strip()
        check(self.url.startswith("http://127.0.0.1:"), f"no URL on standard output, but '{self.url}'")
        self.address, self.token = self.url.removeprefix("http://").split("/?token=")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        below = children_of(self.process.pid)
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=SECONDS)
        if kind is None:
            check(status == 0, f"the server ended with {status}")
            left = [name for pid, name in below.items() if os.path.exists(f"/proc/{pid}")]
            check(not left, f"the server left processes behind: {left}")

    def send(self, path, body=None, method=None, **headers):
        """(status, headers, text) of a request; `body`: a JSON value, or bytes as they are."""
        connection = http.client.HTTPConnection(self.address, timeout=SECONDS)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        named = {"X-Jitprobe-Token": self.token} | {name.replace("_", "-"): text for name, text in headers.items()}
        connection.request(method or ("GET" if body is None else "POST"), path, data, named)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, dict(response.getheaders()), text

    def ask(self, path, body=None):
        """The answer of a request that must succeed."""
        status, _, text = self.send(path, body)
        check(status == 200, f"{path}: {status} {text}")
        return json.loads(text)

    def refused(self, expected, path, body=None, **headers):
        """The sentence of a request that must be refused with that status."""
        status, _, text = self.send(path, body, **headers)
        check(status == expected, f"{path}: {status} instead of {expected}: {text[:200]}")
        sentence = json.loads(text)["error"]
        check(sentence and "\n" not in sentence, f"{path}: no sentence, but {sentence!r}")
        return sentence

    def sites(self, body):
        """What the stream of /api/sites tells."""
        return dict(self.stream("/api/sites", body))["sites"]

    def applied(self, body):
        """What the stream of /api/apply gives."""
        return self.stream("/api/apply", body).named("applied")

    def drawn(self, body):
        """What the stream of /api/random gives."""
        return self.stream("/api/random", body).named("drawn")

    def stream(self, path, body):
        connection = http.client.HTTPConnection(self.address, timeout=SECONDS)
        connection.request("POST", path, json.dumps(body), {"X-Jitprobe-Token": self.token})
        response = connection.getresponse()
        check(response.status == 200, f"{path}: {response.status}")
        check(response.getheader("Content-Type") == "text/event-stream", "a run does not stream")
        return Events(connection, response)
