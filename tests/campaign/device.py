"""A device that torch can't use here: every command ends with exit 2 and a sentence that says what is missing."""

import os
import pathlib
import sys

from common import check, folder, jitprobe

PROGRAM = """import torch


def make_inputs():
    return (torch.arange(6.0),)


def program(x):
    return x + 1
"""


def refuses(name, *words):
    answer = jitprobe(*words)
    said = answer.stderr.strip()
    check(answer.returncode == 2, f"{name}: exit {answer.returncode}: {said} {answer.stdout}")
    told = [line for line in said.splitlines() if "CUDA" in line]
    check(len(told) == 1 and "--device cpu" in told[0], f"{name}: {said}")


def main():
    if os.path.exists("/dev/nvidiactl"):
        print("skipped: this machine has a GPU")
        sys.exit(77)
    with folder() as work:
        file = pathlib.Path(work) / "program.py"
        file.write_text(PROGRAM)
        cuda = ("--device", "cuda")
        refuses("doctor", "doctor", "--backend", "plain", *cuda)
        refuses("run", "run", file, "--backend", "plain", *cuda)
        refuses("run on both", "run", file, "--backend", "plain", "--oracle", "device_vs_device")
        refuses("reduce", "reduce", file, "--backend", "plain", *cuda)
        for name, flags in (("one", cuda), ("both", ("--oracle", "device_vs_device"))):
            campaign = pathlib.Path(work) / name
            refuses(f"fuzz on {name}", "fuzz", "--tests", "1", "--seed", "1", "--backend", "plain", "--known", "none",
                    "--campaign", campaign, *flags)
            check(not campaign.exists(), f"fuzz on {name} leaves {campaign}")
    print("every command says that there is no GPU")


if __name__ == "__main__":
    main()
