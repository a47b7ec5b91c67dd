# judge: agree
# backend: backends/habits.py
# class: identity
# rule: lost_children
# construct: a process of the program's own that dies
# why: Eager loses it too.
import subprocess
import sys

import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    code = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)"
    subprocess.run([sys.executable, "-S", "-c", code], check=False, stderr=subprocess.DEVNULL)
    return x


COMPILE_OPTIONS = {"habit": "copies"}
