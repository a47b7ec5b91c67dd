"""reduce, as users call it: a fault in a long program becomes a short one that shows the same fault, whatever the number
of jobs; what does not diverge is refused; being stopped keeps the best so far."""

import os
import signal
import subprocess
import time

from common import JITPROBE, ROOT, check, folder, jitprobe, last_json, last_words

PUZZLE = ROOT / "tests" / "puzzles" / "lost_view_write.py"
NOISE = "".join(f"    n{i} = torch.relu(n{i - 1}) + {i}\n" for i in range(1, 40))
PROGRAM = f"""# A long program.
import math
import torch

def make_inputs():
    g = torch.Generator().manual_seed(3)
    return (torch.randn(4, 3, generator=g), torch.randn(5, generator=g))

def helper(t):
    return t * math.pi

def program(x, n0):
{NOISE}    if x.shape[0] > 1:
        v = x.reshape(2, 6)
        v[0] = 7.0
    w = helper(n39)
    return w, n0, x * 2.5, n20
"""
# It gives the same whether it is compiled or not; what is left of it if a branch is dropped does not.
ASKS = """import torch

def make_inputs():
    return (torch.ones(4, 3),)

def program(x):
    asked = torch.compiler.is_compiling()

    @torch.compiler.disable
    def inner(z):
        if asked:
            return z * 2
        return z * 2
    y = inner(x)
    v = x.reshape(2, 6)
    v[0] = 7.0
    return x + 0, y
"""
AGREES = "import torch\ndef program():\n    return torch.ones(3)\n"


def body(source):
    return source[source.index("def program"):].strip().splitlines()[1:]


def half_as_long(path):
    """Whether a file is there, and has less than half of the program."""
    return os.path.exists(path) and os.path.getsize(path) < len(PROGRAM) // 2


def tells_its_steps(result):
    """From the program to the result, each by the passes that made it."""
    steps = result["reductions"]
    check(steps[0]["source"] == PROGRAM and steps[-1]["source"] == result["source"], f"the reductions: {steps}")
    check([step["step"] for step in steps] == ["found"] + ["reduction"] * (len(steps) - 1), f"the reductions: {steps}")
    check(len(steps) > 3 and all(step["says"] and step["passes"] for step in steps[1:]), f"the reductions: {steps}")
    accepted = {name for name, count in result["passes"].items() if count["accepted"]}
    named = {name for step in steps for name in step["passes"]}
    check(named - {"plain_names"} <= accepted, f"{named} are not among {accepted}")


def main():
    with folder() as work:
        long = f"{work}/long.py"
        open(long, "w").write(PROGRAM)
        results = []
        for jobs in (1, 2):
            answer = jitprobe("reduce", long, "--backend", PUZZLE, "--jobs", jobs, "--out", f"{work}/{jobs}.py", "--json")
            check(answer.returncode == 0, f"exit {answer.returncode}: {answer.stderr}")
            result = last_json(answer)
            check(result["finished"], "it did not come to its end")
            check(open(f"{work}/{jobs}.py").read() == result["source"], "the file is not the result")
            results.append(result["source"])
            tells_its_steps(result)
        check(results[0] == results[1], f"the number of jobs matters:\n{results[0]}\n{results[1]}")
        check(len(body(results[0])) <= 3, f"not short:\n{results[0]}")
        check("helper" not in results[0] and "randn" not in results[0], f"not simple:\n{results[0]}")

        # Which says too that it diverges: what does not is refused.
        again = jitprobe("reduce", f"{work}/1.py", "--backend", PUZZLE)
        check(again.returncode == 0 and again.stdout == results[0], f"not idempotent:\n{again.stdout}")

        # Steps that the fault does not need are dropped, and the text of the seed stays.
        steps = jitprobe("mutate", long, "--random", 4, "--seed", 1, "--lineage").stdout
        open(f"{work}/steps", "w").write(steps)
        answer = jitprobe("reduce", long, "--lineage", f"{work}/steps", "--only-steps", "--any", "--backend", PUZZLE, "--json")
        check(answer.returncode == 0 and steps.count("\n") == 4, f"{answer.stderr}\n{steps}")
        result = last_json(answer)
        check(not result["mutations"] and result["finished"], f"steps are left: {result['mutations']}")
        check(result["source"] == PROGRAM, f"the text was changed:\n{result['source']}")

        open(f"{work}/asks.py", "w").write(ASKS)
        answer = jitprobe("reduce", f"{work}/asks.py", "--any", "--backend", PUZZLE)
        check(answer.returncode == 0, f"exit {answer.returncode}: {answer.stderr}")
        check("is_compiling" not in answer.stdout and "7.0" in answer.stdout, f"it differs on purpose:\n{answer.stdout}")

        open(f"{work}/agrees.py", "w").write(AGREES)
        answer = jitprobe("reduce", f"{work}/agrees.py", "--backend", PUZZLE)
        check(answer.returncode == 2 and "does not diverge" in answer.stderr, f"{answer.returncode}: {answer.stderr}")

        process = subprocess.Popen([str(JITPROBE), "reduce", long, "--backend", PUZZLE, "--out", f"{work}/stopped.py"],
                                   stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not half_as_long(f"{work}/stopped.py"):
            time.sleep(0.05)
        check(process.poll() is None, f"it ended before it could be stopped{last_words(process)}")
        process.send_signal(signal.SIGINT)
        check(process.wait(300) == 0, "being stopped is no failure")
        check(jitprobe("run", f"{work}/stopped.py", "--backend", PUZZLE).returncode == 1, "the best so far is not kept")
        check("not verified" in process.stderr.read(), "nobody says that the whole was not judged")

        # Killed and begun again it goes on, never back, and ends where it would have ended; reducing.py kills more often.
        best = open(f"{work}/stopped.py").read()
        process = subprocess.Popen([str(JITPROBE), "reduce", long, "--backend", PUZZLE, "--out", f"{work}/stopped.py"],
                                   stderr=subprocess.DEVNULL)
        while process.poll() is None and open(f"{work}/stopped.py").read() == best:
            time.sleep(0.02)
        process.kill()
        process.wait()
        now = open(f"{work}/stopped.py").read()
        check(len(now) <= len(best), f"a larger program took the place of a smaller:\n{best}\n{now}")
        check(jitprobe("run", f"{work}/stopped.py", "--backend", PUZZLE).returncode == 1, f"does not diverge:\n{now}")
        answer = jitprobe("reduce", long, "--backend", PUZZLE, "--out", f"{work}/stopped.py")
        check(answer.returncode == 0, answer.stderr)
        check(open(f"{work}/stopped.py").read() == results[0], "killed, it ends with another program")
        answer = jitprobe("reduce", long, "--backend", PUZZLE, "--out", f"{work}/agrees.py")
        check(answer.returncode == 2 and "agrees.py" in answer.stderr, f"{answer.returncode}: {answer.stderr}")
        check(open(f"{work}/agrees.py").read() == AGREES, "another program was overwritten")
        # What another program was reduced to is none of this one's, though it shows the same fault.
        open(f"{work}/other.py", "w").write(PROGRAM.replace("A long program", "Another"))
        answer = jitprobe("reduce", f"{work}/other.py", "--backend", PUZZLE, "--out", f"{work}/1.py")
        check(answer.returncode == 2 and "another --out" in answer.stderr, f"{answer.returncode}: {answer.stderr}")
        check(open(f"{work}/1.py").read() == results[0], "another program's reduction was overwritten")
    print("ok")


if __name__ == "__main__":
    main()
