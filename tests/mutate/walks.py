"""Programs under mutation, step by step: what eager shows of each, and whether a step holds what its exactness declares."""

import contextlib
import os
import pathlib
import re
import sys
import warnings

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import torch._dynamo  # noqa: E402, F401, an import that `limited` ends halfway would be broken for every later program
import torch.distributed.tensor  # noqa: E402, F401, likewise

import exactness  # noqa: E402
import functions  # noqa: E402
from jitprobe_runtime import execute, profile  # noqa: E402
from jitprobe_runtime.state import process as state  # noqa: E402

SECONDS = 60
LOCALS = re.compile(r"(?:[\w.]+\.<locals>\.)+")


class Eager:
    """Runs programs."""

    def __init__(self, folder):
        self.file = str(folder / "program.py")

    def limited(self, source, run):
        """What run(program) gives, an ending and facts."""
        program = {"source": source, "entry": "program", "inputs": "make_inputs"}
        with warnings.catch_warnings(), functions.limited(SECONDS):
            warnings.simplefilter("ignore")
            try:
                ending, facts = run(program)
            except functions.TooLong:
                ending, facts = {"kind": "raised", "reason": "too long"}, {}
        state.restore()
        return ending, facts

    def run(self, source, watched=None, within=contextlib.nullcontext):
        """What is seen, and facts. What is seen tells which tensors are one. `within()`: a context of the run."""
        watched = watched or {"ids": "", "places": []}

        def profiled(program):
            with within():
                return profile.run(program, self.file, watched)

        ending, facts = self.limited(source, profiled)
        seen = exactness.visible(ending, source)
        if ending["kind"] == "finished":
            seen = placeless(seen)
            seen["one"] = identities(ending["observation"]["calls"])
        return seen, facts

    def sees(self, source):
        """Whether the program runs in float64 too: the oracle's best witness of what rounding is."""
        request = {"role": "float64", "precision": "float64"}
        ending, _ = self.limited(source, lambda program: (execute.run(program, self.file, request), {}))
        return ending["kind"] == "finished" and not any(call.get("exception") for call in ending["observation"]["calls"])

    def moved(self, source, watched):
        """Facts of runs with moved roundings; none if one of them takes too long."""
        try:
            with functions.limited(SECONDS):
                return exactness.moved_facts(source, self.file, watched)
        except functions.TooLong:
            return []

    def survives(self, source):
        """Whether a process that runs the program isn't ended by that: eager may die of odd arguments."""
        process = os.fork()
        if process == 0:
            try:
                self.run(source)
            finally:
                os._exit(0)
        return not os.WIFSIGNALED(os.waitpid(process, 0)[1])

    def steady(self, source):
        """The program runs, and gives the same twice."""
        if not self.survives(source):
            return False
        seen, _ = self.run(source)
        return "raised" not in seen and not exactness.exceptions(seen) and seen == self.run(source)[0]


def placeless(value):
    """Without what tells where code stands: lines of exceptions, functions around a definition."""
    if isinstance(value, dict):
        return {key: placeless(item) for key, item in value.items() if key not in ("frames", "exception_line")}
    if isinstance(value, list):
        return [placeless(item) for item in value]
    return LOCALS.sub("", value) if isinstance(value, str) else value


def identities(calls):
    """The tensors of outputs and inputs by number, in the order in which they are met."""
    numbers = {}

    def walk(value):
        if isinstance(value, list):
            for item in value:
                yield from walk(item)
        elif isinstance(value, dict) and value.get("kind") == "tensor":
            yield numbers.setdefault(value["index"], len(numbers))
        elif isinstance(value, dict):
            for item in value.values():
                yield from walk(item)

    return [list(walk([call.get("output"), call.get("inputs")])) for call in calls]


def holds(before, after, kind):
    """"", or "invalid" or "inexact"."""
    if kind == "broken":
        return "" if "raised" in after or after["calls"][0].get("exception") else "inexact"
    if "raised" in after:
        return "invalid"
    if kind == "variation":
        return "" if ran(after) else "invalid"
    if exactness.exceptions(after) != exactness.exceptions(before):
        return "invalid"
    return "" if exactness.same(before, after, kind) else "inexact"


def ran(seen):
    return bool(seen["calls"]) and not seen["calls"][0].get("exception")


class Walk:
    """One program under mutation, step by step."""

    def __init__(self, engine, eager, name, source, rng, only, varies=True):
        """`only`: the mutations that are drawn, all if empty. `varies`: whether steps may change the result."""
        self.engine, self.eager, self.name, self.rng = engine, eager, name, rng
        self.only, self.varies = only, varies
        self.base = self.source = source
        self.watched = engine.ask(load=source)["watched"]
        self.seen, self.facts = eager.run(source, self.watched)
        self.first = self.seen
        self.sees = eager.sees(source)
        self.kinds = []  # the exactness of each step that was kept
        self.sites = self.list_sites()

    def list_sites(self):
        sites = self.engine.ask(sites=self.facts)["sites"]
        return [site for site in sites
                if (not self.only or site[0] in self.only) and (self.varies or site[1] != "variation")]

    def apply(self, site, seed, replay=True):
        return self.engine.ask(apply=[site[0], site[2], site[3]], seed=seed, replay=replay)

    def step(self, tally, replay=True):
        """One application; False when there is no place for any. Whether the lineage replays is asked each time, or left
        to the caller."""
        if not self.sites:
            return False
        mutation = self.rng.choice(sorted({site[0] for site in self.sites}))
        site = self.rng.choice([site for site in self.sites if site[0] == mutation])
        if site[4]:
            self.engine.ask(moved=self.eager.moved(self.source, self.watched))
        made = self.apply(site, self.rng.getrandbits(40), replay)
        tally.tried(mutation, site[1])
        if made["source"] is None:
            if made.get("unparsable"):
                tally.broke("unparsable", self, mutation, site)
            return True
        if not made["replays"]:
            tally.broke("replay differs", self, mutation, made["step"])
        seen, facts = self.eager.run(made["source"], made["watched"])
        wrong = holds(self.seen, seen, site[1])
        tally.applied(mutation, wrong)
        if wrong:
            tally.show(wrong, self, made, seen)
        # Nothing goes on from a program that raises.
        if wrong or site[1] == "broken":
            return True
        self.engine.ask(keep=True)
        self.source, self.watched, self.seen, self.facts = made["source"], made["watched"], seen, facts
        self.kinds.append(site[1])
        self.sites = self.list_sites()
        saw, self.sees = self.sees, self.eager.sees(self.source)
        if saw and not self.sees:
            tally.blinded(self, made["step"], site)
        return True

    def check_subsequence(self, tally):
        """Some of the steps, in their order, replay to a program; if all steps are exact, to one with the same effect. (An
        exact step may rely on a variation before it: a zero of this input on a size that the variation has changed.)"""
        exact = "variation" not in self.kinds
        chosen = [number for number in range(len(self.kinds)) if self.rng.random() < 0.6]
        some = self.engine.ask(replay=chosen)["source"]
        try:
            compile(some, self.name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as error:
            tally.broke(f"a subsequence is no program ({error})", self, "", chosen)
            return
        if exact and len(chosen) < len(self.kinds):
            seen, _ = self.eager.run(some)
            rounds = any(self.kinds[number] == "rounding" for number in chosen)
            tally.subsequence(holds(self.first, seen, "rounding" if rounds else "bitwise"), self, chosen, seen)
