"""jitprobe harvest by its command line, on real torch: a few operators of the database, a small example, the order.

    python harvest.py
"""

import ast
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "campaign"))

from common import JITPROBE, NO_COMPILER, check, folder, jitprobe, last_json, last_words  # noqa: E402

PYTHON = os.environ.get("JITPROBE_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
# One harvest for all: those that programs are looked at of, and those that are in_graphs.
LOOKED_AT = """add cat index_put max.reduction_with_dim linalg.norm nn.functional.conv2d nn.functional.elu view einsum
__getitem__ T to where roll gather std unbind bitwise_and fft.rfft nn.functional.interpolate.nearest normal empty_like
""".split()
NOT_VALID = {"normal": "random", "empty_like": "memory"}
IN_GRAPHS = """cat max.reduction_with_dim linalg.inv fft.fft unbind split expand reshape gather where roll T
index_select nn.functional.pad softmax cumsum addmm clamp nn.functional.max_pool2d einsum""".split()
OPERATORS = list(dict.fromkeys(LOOKED_AT + IN_GRAPHS))
# Of these some calls only move elements; of those some take other elements because it is known where their results lie;
# that one's calls take recorded elements only.
MOVING = {"cat", "unbind", "split", "reshape", "roll", "T", "index_select"}
BOUNDED = {"fft_fft", "softmax", "clamp", "addmm", "cumsum", "max_pool2d_with_indices"}
STILL = {"linalg_inv"}
# What stands in the programs of the example.
RECORDED = {"add": "memory0.as_strided((4,), (1,), 2)", "roll": ".t()", "nn_Sequential": "torch.nn.ELU(alpha=0.5)",
            "nn_Linear": "module = torch.nn.Linear(4, 3)", "pad": "value=-1.5", "fliplr": "torch.fliplr(v0)",
            "diagonal": "offset=1", "index_put": "v0[1:3] = 7"}
# What calls of the example dispatch to, backward's too.
DISPATCHED = {"roll": "aten.roll.default", "nn_Linear": "aten.addmm.default", "pad": "aten.constant_pad_nd.default"}
# Runs every program of the folders that its arguments name, in two processes, and prints what they give in each.
RUN = """import os, pathlib, sys, torch
torch.set_num_threads(1)
for turn in range(2):
    child = os.fork()
    if child == 0:
        for path in sorted(path for folder in sys.argv[1:] for path in pathlib.Path(folder).glob("*.py")):
            names = {}
            torch.manual_seed(0)
            exec(compile(path.read_text(), str(path), "exec"), names)
            print(path, names["program"](*names["make_inputs"]()))
        sys.exit(0)
    if os.waitpid(child, 0)[1]:
        sys.exit(1)
    print("=" * 9, flush=True)
"""


def programs(path):
    return {file.name: file.read_text(encoding="utf-8") for file in sorted(pathlib.Path(path).glob("*.py"))}


def manifest(path):
    with open(f"{path}/instances.json", encoding="utf-8") as file:
        return json.load(file)


def agree(*paths):
    """All programs run by themselves, and give the same again."""
    ran = subprocess.run([PYTHON, "-c", RUN, *paths], capture_output=True, text=True)
    check(ran.returncode == 0, f"a harvested program fails: {ran.stderr[-1500:]}")
    first, second, _ = ran.stdout.split("=" * 9 + "\n")
    check(first and first == second, "harvested programs give other results in another process")


def opinfo(work):
    told = last_json(jitprobe("harvest", "opinfo", "--only", ",".join(OPERATORS), "--samples", 4, "--out", f"{work}/opinfo",
                              "--json"))
    named = {row["operator"].split(".")[0]: row["reason"] for row in told["left_out"]}
    for name, word in NOT_VALID.items():
        check(word in named.get(name, ""), f"{name} is not left out as {word}: {told['left_out']}")
    check(told["valid"] >= 20, f"only {told['valid']} entries are valid: {told['left_out']}")
    texts = programs(f"{work}/opinfo")
    check(len(texts) == told["programs"] == len(manifest(f"{work}/opinfo")["instances"]), "files and manifest differ")
    bodies = ["\n".join(text.splitlines()[1:]) for text in texts.values()]
    check(len(set(bodies)) == len(bodies), "two programs are the same")
    for name, text in texts.items():
        defined = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        check(defined == {"make_inputs", "program"} and "op_db" not in text, f"{name} is no plain program:\n{text}")
    answer = jitprobe("run", f"{work}/opinfo/roll_000.py", "--backend", "eager")
    check(answer.returncode == 0 and "agree" in answer.stdout, f"roll_000.py: {answer.stdout}{answer.stderr}")


def again(work):
    """Another harvest in the same folder takes the place of the first; anything else there is left alone."""
    answer = jitprobe("harvest", "opinfo", "--only", "roll", "--samples", 2, "--out", f"{work}/opinfo")
    check(answer.returncode == 0 and "1 of 1 entries" in answer.stdout, answer.stdout + answer.stderr)
    check(set(programs(f"{work}/opinfo")) == {"roll_000.py", "roll_001.py"}, f"left: {sorted(programs(f'{work}/opinfo'))}")
    os.mkdir(f"{work}/mine")
    pathlib.Path(work, "mine", "notes.txt").write_text("mine", encoding="utf-8")
    answer = jitprobe("harvest", "opinfo", "--only", "roll", "--out", f"{work}/mine")
    check(answer.returncode == 2 and "something else" in answer.stderr, answer.stderr)


def run(work):
    example = ROOT / "tests" / "harvest" / "example.py"
    answer = jitprobe("harvest", "run", "--out", f"{work}/run", "--json", "--", PYTHON, example)
    told = last_json(answer)
    check(told["command_status"] == 0 and told["programs"] >= 20, f"{told} {answer.stderr}")
    texts = programs(f"{work}/run")
    told = manifest(f"{work}/run")
    calls = {row["file"]: {told["dispatched"][place]["operator"] for place in row["dispatched"]} for row in told["instances"]}
    for name, call in DISPATCHED.items():
        check(any(file.startswith(name) and call in found for file, found in calls.items()), f"no {call} in {calls}")
    for name, part in RECORDED.items():
        check(any(file.startswith(name + "_0") and part in text for file, text in texts.items()),
              f"no program of {name} has {part}: {[text for file, text in texts.items() if file.startswith(name)]}")
    check(len([file for file in texts if file.startswith("roll")]) == 1, "equal calls are there more than once")
    check(manifest(f"{work}/run")["counts"]["roll"] == 3, "three calls of roll are not counted as three")
    check(not any("Dropout" in text or "torch.rand(" in text for text in texts.values()), "something random is there")
    answer = jitprobe("harvest", "run", "--out", f"{work}/none", "--", PYTHON, "-c", "print('no torch')")
    check(answer.returncode == 2 and "no call of torch" in answer.stderr, answer.stdout + answer.stderr)
    answer = jitprobe("harvest", "run", "--out", f"{work}/none", "--", f"{work}/no-such-command")
    check(answer.returncode == 2 and "no-such-command" in answer.stderr, answer.stdout + answer.stderr)


def kept(work):
    """A command that can't be run leaves the earlier harvest as it is."""
    before = programs(f"{work}/run")
    script = pathlib.Path(work, "script")
    script.write_text("no program\n", encoding="utf-8")
    script.chmod(0o755)
    for wrong in (script, f"{work}/no-such-command"):
        answer = jitprobe("harvest", "run", "--out", f"{work}/run", "--", wrong)
        check(answer.returncode == 2 and len(answer.stderr.splitlines()) == 1, f"{wrong}: {answer.stdout}{answer.stderr}")
    check(programs(f"{work}/run") == before, "a command that can't be run has changed the harvest")


def recording(work):
    """A harvest of a command that has called torch and sleeps, and the process of the command."""
    records = pathlib.Path(work, "records")
    records.mkdir(exist_ok=True)
    harvest = subprocess.Popen([str(JITPROBE), "harvest", "run", "--out", f"{work}/stopped", "--json", "--", PYTHON, "-c",
                                "import time, torch\ntorch.ones(3).relu()\ntime.sleep(600)"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, start_new_session=True,
                               env=os.environ | {"TMPDIR": str(records)})
    while harvest.poll() is None:
        time.sleep(0.05)
        for path in records.glob("jitprobe-harvest-*/*.jsonl"):
            if "relu" in path.read_text(encoding="utf-8"):
                return harvest, int(path.stem)
    return check(False, f"harvest run ended by itself{last_words(harvest)}")


def stopped(work):
    """Ctrl-C ends the command, and what it has called is a harvest; who ends the harvest ends the command, too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # else what a shell ignores all that is started here ignores
    for number, status in ((signal.SIGINT, 0), (signal.SIGTERM, 2)):
        harvest, command = recording(work)
        if number == signal.SIGINT:
            os.killpg(harvest.pid, number)  # as a terminal does
        else:
            harvest.send_signal(number)
        said, wrong = harvest.communicate()
        check(harvest.returncode == status, f"{number.name}: exit {harvest.returncode}: {said}{wrong}")
        check("Traceback" not in wrong.rpartition("KeyboardInterrupt")[2], wrong)  # the command's own ends with that
        check(not os.path.exists(f"/proc/{command}"), f"{number.name}: the command is left")
        check(not list(pathlib.Path(work, "records").glob("jitprobe-harvest-*")), f"{number.name}: records are left")
        check(any(name.startswith("relu") for name in programs(f"{work}/stopped")), f"{number.name}: {said}{wrong}")


def in_graphs(work):
    """Programs of the generator with harvested calls in them: eager takes them, and everything inferred is right."""
    calls = json.loads(pathlib.Path(work, "opinfo", "operators.json").read_text(encoding="utf-8"))["calls"]
    free = [call for call in calls if any(one["free"] for one in call["arguments"])]
    moving = {call["operator"] for call in free if not call["levels"]}
    check(MOVING <= moving and not moving & STILL, f"calls that only move elements: {sorted(moving)}")
    bounded = {call["operator"] for call in free if call["levels"]}
    check(BOUNDED <= bounded and not bounded & STILL, f"calls whose results are bounded: {sorted(bounded)}")
    dump = JITPROBE.parent.parent / "tests" / "harvested_dump"
    lines = subprocess.run([dump, f"{work}/opinfo", "0", "150", "20"], capture_output=True, text=True, check=True).stdout
    programs_check = ROOT / "tests" / "seedgen" / "check_programs.py"
    answer = subprocess.run([PYTHON, programs_check], input=lines, capture_output=True, text=True)
    check(answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-2000:])
    drawn = [call for line in lines.splitlines() for call in json.loads(line)["calls"]]
    check("linalg_inv" in drawn and "fft_fft" in drawn, "no harvested call is drawn")
    first, second = (jitprobe("generate", "--with", f"{work}/opinfo", "--seed", 5, "--count", 3) for _ in range(2))
    check(first.returncode == 0 and first.stdout == second.stdout, first.stdout + first.stderr)
    for words in (["generate", "--with", f"{work}/none"], ["generate", "--with", f"{work}/opinfo", "--metrics"],
                  ["fuzz", "--with", f"{work}/none", "--tests", 1], ["fuzz", "--with", f"{work}/opinfo", "--from", "tables"]):
        answer = jitprobe(*words, cwd=work)
        check(answer.returncode == 2 and len(answer.stderr.splitlines()) == 1, f"{words}: {answer.stdout}{answer.stderr}")
    answer = jitprobe("fuzz", "--known", "none",
                      "--with", f"{work}/opinfo", "--tests", 4, "--seed", 1, "--jobs", 1, *NO_COMPILER, "--backend", "plain",
                      "--reduce", 0, "--campaign", f"{work}/campaign")
    check(answer.returncode in (0, 1), answer.stdout + answer.stderr)  # 1: it has found something


def order(work):
    files = {row["file"] for row in manifest(f"{work}/run")["instances"]}
    orders = {}
    for by in ("dispatched", "opera", "signature", "parameter", "total", "additional", "random"):
        rows = last_json(jitprobe("harvest", "order", f"{work}/run", "--by", by, "--json"))["instances"]
        orders[by] = [row["file"] for row in rows]
        check(set(orders[by]) == files and len(rows) == len(files), f"{by} is no order of the files")
    check(orders["opera"] != orders["random"], "the order is random")
    answer = jitprobe("harvest", "order", f"{work}/run", "--out", f"{work}/ordered")
    check(answer.stdout.split() == orders["additional"], "--json and text differ")
    check([name.split("_", 1)[1] for name in programs(f"{work}/ordered")] == orders["additional"], "copies are not in order")
    campaign = f"{work}/ordered_campaign"
    answer = jitprobe("fuzz", "--known", "none",
                      "--from", f"{work}/run", "--tests", 6, "--mutations-per-program", 0, "--backend", "eager",
                      "--jobs", 1, "--reduce", 0, "--seed", 1, "--campaign", campaign)
    check(answer.returncode in (0, 1), answer.stdout + answer.stderr)
    log = pathlib.Path(campaign, "test_log.jsonl").read_text(encoding="utf-8").splitlines()
    ran = {row["test"]: pathlib.Path(row["seed"]["path"]).name for row in map(json.loads, log)}
    left_out = [line.split("/")[-1].split(":")[0] for line in answer.stderr.splitlines() if line.startswith("left out")]
    expected = [name for name in orders["additional"] if name not in left_out][:6]
    check([ran[test] for test in sorted(ran)] == expected, f"fuzz takes {ran}, not {expected}")
    path = pathlib.Path(work, "run", "instances.json")
    path.write_text(path.read_text(encoding="utf-8").replace('"version": 2', '"version": 1', 1), encoding="utf-8")
    answer = jitprobe("harvest", "order", f"{work}/run")
    check(answer.returncode == 2 and "harvest again" in answer.stderr, answer.stdout + answer.stderr)


if __name__ == "__main__":
    with folder() as work_folder:
        opinfo(work_folder)
        run(work_folder)
        kept(work_folder)
        stopped(work_folder)
        agree(f"{work_folder}/opinfo", f"{work_folder}/run", f"{work_folder}/stopped")
        order(work_folder)
        in_graphs(work_folder)
        again(work_folder)
    print("harvesting behaves")
