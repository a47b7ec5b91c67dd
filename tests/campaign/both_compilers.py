"""The faster g++ is checked in a campaign: a program that computes something else under it is an internal error, and any
other program is not. The program asks its process which g++ it has."""

import json
import pathlib
import sys

from common import check, folder, jitprobe, last_json

PROGRAM = """import ctypes

import torch


def make_inputs():
    return (torch.rand(7),)


def program(x):
    getenv = ctypes.CDLL(None).getenv
    getenv.restype = ctypes.c_char_p
    return x.sin() {} (getenv(b"JITPROBE_CXX") == b"use")
"""


def fuzz(base, name, operator):
    program = base / f"{name}.py"
    program.write_text(PROGRAM.format(operator))
    answer = jitprobe("fuzz", "--backend", "inductor", "--oracle", "eager_vs_compiled", "--from", program, "--tests", 4,
                      "--mutations-per-program", 0, "--seed", 1, "--jobs", 1, "--known", "none", "--json", "--campaign",
                      base / name)
    check(answer.returncode == 0, f"{name}: exit {answer.returncode}: {answer.stdout}{answer.stderr}")
    return answer, last_json(answer)


def checked(base):
    answer, result = fuzz(base, "other_bits", "+")
    check((result["internal_errors"], result["findings"]) == (1, 0), result)
    said = answer.stderr
    check("computes other bits with what makes compiling faster" in said and "--replay 3" in said, said)
    _, result = fuzz(base, "same_bits", "+ 0 *")
    check((result["internal_errors"], result["valid"], result["findings"]) == (0, 4, 0), result)


if __name__ == "__main__":
    if not json.loads(jitprobe("doctor", "--backend", "plain", "--json").stdout)["keeps_instances"]:
        print("skipped: g++'s plugin headers are not installed, so there is no faster g++ to check")
        sys.exit(77)
    with folder() as work:
        checked(pathlib.Path(work))
    print("the faster g++ is checked")
