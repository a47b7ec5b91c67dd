"""Lease servers on a Ray cluster, for fleet/ray_servers.cpp: an actor for each core holds one by its standard input.

    ray_leases.py ADDRESS PROGRAM    (standard input and output: one socket, with frames)

Frames are those of pyrunner/wire.h: a MessagePack map, and the bytes of one message for a server or from it, which are
not looked at here. From the driver: {op: "start", server, start}, {op: "send", …} with a message, {op: "kill", …}; `start`
says which of the servers that had the number is meant. To it: {slots}, how many servers there can be, first of all and
whenever it grows; {server, start, placed}, once Ray has found cores for it; {server, start} with a message; {server, start,
gone} with how it ended; {failed}, after which nothing follows.

Ray restarts and retries nothing: its memory watcher kills whoever is near, and would begin lost work anew for ever. The
driver decides what is made again. A server ends when its standard input does, so that none is left when an actor, its
node or the driver dies.
"""

import os
import queue
import select
import socket
import struct
import subprocess
import sys
import threading
import time

import msgpack
import ray

HEAD = "<4sQQ"
MAGIC = b"JPF2"
REACHED = 10  # seconds for which the address of a cluster may not answer
HEARD = 5  # seconds for which an actor waits for its server, before it is asked again
POLL = 0.2  # seconds between looks at what may have changed meanwhile
GROWS = 10  # seconds between looks for new nodes
LARGE = 1 << 16  # bytes from which a message is sent to each node once, instead of to each actor


def write_frame(to, message, attachment=b""):
    to.sendall(struct.pack(HEAD, MAGIC, len(message), len(attachment)) + message + attachment)


def read_exactly(source, size):
    parts = []
    while size:
        part = source.recv(min(size, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def read_frame(source):
    magic, message, attachment = struct.unpack(HEAD, read_exactly(source, struct.calcsize(HEAD)))
    if magic != MAGIC:
        raise EOFError
    return read_exactly(source, message), read_exactly(source, attachment)


@ray.remote(num_cpus=1, max_restarts=0, max_task_retries=0, max_concurrency=2, scheduling_strategy="SPREAD")
class Slot:
    """Holds one server: `send` and `hear` run side by side."""

    def __init__(self, program, environment):
        self.socket, its = socket.socketpair()
        self.process = subprocess.Popen([program, "lease", "--serve"], stdin=its, stdout=its, start_new_session=True,
                                        env=os.environ | environment)
        its.close()
        self.lock = threading.Lock()
        self.unsent, self.next = {}, 0

    def send(self, number, message):
        """Ray doesn't keep the order of calls."""
        with self.lock:
            self.unsent[number] = message
            while self.next in self.unsent:
                write_frame(self.socket, self.unsent.pop(self.next))
                self.next += 1

    def hear(self):
        """The messages that have come, and how the server ended if it has."""
        messages, begun = [], time.monotonic()
        try:
            while not messages and time.monotonic() - begun < HEARD:
                while select.select([self.socket], [], [], 0 if messages else POLL)[0]:
                    messages.append(read_frame(self.socket)[0])
        except (EOFError, OSError):
            self.socket.close()  # it ends then, if it has not
            return messages, f"exit status {self.process.wait()}"
        return messages, None


class Cluster:
    def __init__(self, driver, program):
        self.driver, self.program = driver, program
        self.environment = {name: value for name, value in os.environ.items() if name.startswith("JITPROBE_")}
        self.actors, self.starts, self.sent, self.hearing, self.large, self.slots = {}, {}, {}, {}, {}, 0
        self.placing = set()

    def say(self, message, attachment=b""):
        write_frame(self.driver, msgpack.packb(message), attachment)

    def grow(self):
        slots = int(ray.cluster_resources().get("CPU", 0))
        if slots > self.slots:
            self.slots = slots
            self.say({"slots": slots})

    def do(self, message, attachment):
        order = msgpack.unpackb(message)
        server = order["server"]
        if order["op"] == "start":
            self.actors[server], self.sent[server] = Slot.remote(self.program, self.environment), 0
            self.starts[server] = order["start"]
            self.placing.add(server)
            self.hearing[self.actors[server].hear.remote()] = server
        elif order["op"] == "kill":
            self.drop(server)
        elif server in self.actors:
            self.actors[server].send.remote(self.sent[server], self.for_nodes(attachment))
            self.sent[server] += 1

    def for_nodes(self, message):
        if len(message) < LARGE:
            return message
        if message not in self.large:
            self.large = dict(list(self.large.items())[-2:])
            self.large[message] = ray.put(message)
        return self.large[message]

    def drop(self, server):
        self.hearing = {one: other for one, other in self.hearing.items() if other != server}
        self.placing.discard(server)
        if actor := self.actors.pop(server, None):
            ray.kill(actor)

    def listen(self):
        hearing = list(self.hearing)
        ready, _ = ray.wait(hearing, timeout=POLL / 4) if hearing else ([], [])
        if ready:  # all that are there by now
            ready, _ = ray.wait(hearing, num_returns=len(hearing), timeout=0)
        for one in ready:
            server = self.hearing.pop(one)
            head = {"server": server, "start": self.starts[server]}
            try:
                messages, gone = ray.get(one)
            except ray.exceptions.RayError as error:
                messages, gone = [], str(error).strip().split("\n")[0]
            if server in self.placing:
                self.placing.remove(server)
                self.say(head | {"placed": True})
            for message in messages:
                self.say(head, message)
            if gone is None:
                self.hearing[self.actors[server].hear.remote()] = server
            else:
                self.drop(server)
                self.say(head | {"gone": gone})


def main():
    address, program = sys.argv[1:]
    driver = socket.socket(fileno=os.dup(0))
    os.dup2(2, 1)  # whatever Ray prints is no frame
    orders = queue.Queue()

    def read_orders():
        try:
            while True:
                orders.put(read_frame(driver))
        except (EOFError, OSError):
            orders.put(None)

    cluster = Cluster(driver, program)
    try:
        if ":" in address:  # Ray tries for more than a minute where nothing listens
            host, port = address.rsplit(":", 1)
            socket.create_connection((host.strip("[]"), port), timeout=REACHED).close()
        ray.init(address, log_to_driver=False, logging_level="ERROR")
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        cluster.say({"failed": f"Ray's cluster {address} can't be reached: {str(error).strip().split(chr(10))[0]}"})
        return
    threading.Thread(target=read_orders, daemon=True).start()
    looked = -GROWS
    while True:
        if time.monotonic() - looked >= GROWS:
            cluster.grow()
            looked = time.monotonic()
        while not orders.empty() or not cluster.hearing:
            try:
                order = orders.get(timeout=GROWS)
            except queue.Empty:  # a cluster without cores gets no orders until it has grown
                break
            if order is None:
                ray.shutdown()
                return
            cluster.do(*order)
        cluster.listen()


if __name__ == "__main__":
    main()
