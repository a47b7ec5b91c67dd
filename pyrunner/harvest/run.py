"""Any command's calls of torch as program files: `command` runs it, and what `record` kept is written, run twice in eager and
compared.
"""

import collections
import json
import pathlib
import tempfile
import time

from . import CannotWrite, as_operator, check, children, dispatched, names, text
from .command import recorded
from .manifest import BadUse, Folder

SECONDS = 60  # for one program
MANY = 200  # that one child goes through


def lines_of(folder):
    """(lines of calls, sums of what the processes counted)."""
    found, calls, reasons = [], collections.Counter(), collections.Counter()
    for path in sorted(pathlib.Path(folder).glob("*.jsonl"), key=lambda one: int(one.stem)):
        kept, counted = [], False
        for row in path.read_text(encoding="utf-8").splitlines():
            try:
                line = json.loads(row)
            except ValueError:  # the process was killed while it wrote
                continue
            if "instance" in line:
                kept.append(line)
            else:
                counted = True
                calls.update(line["calls"])
                reasons.update(line["reasons"])
        if not counted:  # it ended without a word: each was made at least once
            calls.update(line["name"] for line in kept)
        found += kept
    return found, calls, reasons


def unlike(module, told):
    """Why a module made anew isn't the recorded one; "" when it is."""
    if repr(module) != told["shown"]:
        return "a module that was changed after its construction"
    state = [[name, str(value.dtype), list(value.shape)] for name, value in module.state_dict().items()]
    return "" if state == told["state"] else "a module whose parameters were replaced"


def row_of(line, title):
    instance = line["instance"]
    source = text.program_text(instance, title)
    shown = check.run_twice(source)
    if instance.get("module") and (why := unlike(shown["module"], instance["module"])):
        raise CannotWrite(why)
    return {"operator": names.operator_of(line["name"]), "name": line["name"], "parameters": line["parameters"],
            "dispatched": dispatched.calls_of(source), "text": source, "call": as_operator.call_of(instance, source)}


class Work:
    def __init__(self, lines, title):
        self.lines = lines
        self.title = title

    def __call__(self, start, send):
        last = min(start + MANY, len(self.lines))
        for at in range(start, last):
            send({"at": at})
            line = self.lines[at]
            try:
                send({"line": at, "row": row_of(line, self.title)})
            except CannotWrite as failure:
                send({"line": at, "reason": str(failure)})
            except Exception as error:
                send({"line": at, "reason": f"can't be written: {check.short(error)}"})
        return last if last < len(self.lines) else None


def shown_command(words):
    """In one short line, folders left out."""
    shown = " ".join(word.rpartition("/")[2] or word for word in words)
    return " ".join(shown.split())[:80]


def different_of(lines):
    seen, different = set(), []
    for line in lines:
        key = text.key_of(line["instance"])
        if key not in seen:
            seen.add(key)
            different.append(line)
    return different


def harvest(options, note):
    """Writes the folder; gives the report as plain data. Raises BadUse."""
    folder = Folder(options.out, "run")
    folder.check()
    began = time.monotonic()
    # A process that the command left may still write into it.
    with tempfile.TemporaryDirectory(prefix="jitprobe-harvest-", ignore_cleanup_errors=True) as records:
        status = recorded(options.command, records, options.samples, options.json)
        seconds = time.monotonic() - began
        lines, calls, reasons = lines_of(records)
    lines = different_of(lines)
    note(f"the command ended with {status}; {sum(calls.values())} calls of torch, {len(lines)} of them to be written")
    if not lines:
        raise BadUse(f"the command made no call of torch that can be recorded (it ended with {status})")
    work = Work(lines, f"recorded from a run of {shown_command(options.command)}")
    for message in children.messages(work, 0, lambda at: at + 1, SECONDS):
        if "row" in message:
            row = message["row"]
            folder.add(row)
        else:
            at = message.get("line", message.get("at"))
            reason = message.get("reason") or message["died"]
            reasons[reason] += 1
            folder.leave_out(names.operator_of(lines[at]["name"]), reason)
    if not folder.instances:
        raise BadUse(f"none of the calls could be written: {reasons.most_common(1)[0][0]}")
    for name, count in calls.items():
        folder.counts[names.operator_of(name)] += count
    folder.close()
    return {"folder": str(folder.path), "command_status": status, "calls": sum(calls.values()), "different": len(lines),
            "programs": len(folder.instances), "operators": len({row["operator"] for row in folder.instances}),
            "reasons": reasons.most_common(), "seconds": round(seconds, 1)}
