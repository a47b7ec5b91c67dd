"""./dev soak [NAME…] [--first N] [--count N]: the long forms of the tests. Each prints what it did and whether it held;
exit 1 when one did not.

generate   20 million programs of 20 operators and 1 million of 100 are made; of every 100 of the former one runs in
           eager: accepted, inferred types right, outputs finite. Seeds are those of the day; it goes on where it was stopped
tables     every program of every table in eager: valid, and the same twice
mutations  20,000 random applications of mutations to programs of every kind: what each promises holds in eager
chains     1,000 mutations one upon another on ResNet-18, VGG-11, MobileNetV2 and the transformer; memory and time
intervals  1,000 generated programs of 100 operators: at least 95 % have only finite outputs, and outputs move with the inputs
clean      1,000 tests through a backend that compiles nothing: not one report of any kind
breaks     each constraint of each operator broken: refused by eager (as far as not listed as the generator's own), and what
           aot_eager does, and Inductor with one in 17: nothing that soak/breaks_expected.tsv doesn't have; --count seeds of
           each operator (6); hours
resume     the kill -9 and resume test, five times
deaths     1,000 rounds of six kinds of death with a limit of 1 s: each labelled right, driver and zygote unchanged
forks      10,000 forks, half with four OpenMP threads in the child: not one hangs
warm       a child's first compile takes at most 1.4 times what it takes as its tenth, in the median of 100 programs
overload   1,000 good programs while four busy processes a processor run: none counts as a hang, and what hangs does
ends       500 runs of Inductor ended after a second, 50 daemons, 20 drivers killed: no process or folder is left
judge      8,000 random clean programs, with and without a compiler (soak_judge.py); goes on where it was stopped
isolation  500 programs in a batch, in forks and in new interpreters: the same verdict and signature
standalone what is found in a labelled file of tests/judge/diverge shows in its standalone file (./dev test: six a day)
faults     each faulty compiler of bench/planted/mutations shows in its mutant and not in its seed (./dev test: six a day)
avoids     each `# avoid:` and `# around:` line of the corpus makes its bug go away, where it is there (corpus/avoids.py)
lines      200 generated programs that agree on aot_eager agree under all `# avoid:` lines of the corpus, too (soak_lines.py)
fleet      2,000 tests on planted faults in four ways: one job, processes, a Ray cluster and a shared folder, of each of which
           something is killed: the same rows (soak_fleet.py); --arms takes some of them
writes     each call of the driver that changes a file of the campaign fails in turn, as on a full disk (soak_disk.py)
kills      a campaign that is killed with kill -9 a hundred times and resumed has the rows of one that wasn't (soak_disk.py)
headers    with an empty cache, a start is killed with kill -9 while it precompiles Inductor's header, twenty times: the next
           one does it again, and nothing else is left (soak_headers.py)
drift      an hour (--count: seconds) of a campaign on torch: memory, rate, and what is left; disk is printed (soak_drift.py)
real       other people's packages under every backend (real/run.py); one report that is no known bug fails it

--count makes a shorter one, --first and --count a part of a long one (all but standalone, faults, avoids and real).
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "campaign"))
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE / "soak"))
import breaks as soak_breaks  # noqa: E402
import common  # noqa: E402
import soak_disk  # noqa: E402
import soak_drift  # noqa: E402
import soak_fleet  # noqa: E402
import soak_generate  # noqa: E402
import soak_headers  # noqa: E402
import soak_judge  # noqa: E402
import soak_lines  # noqa: E402

CHAINED = ("resnet18", "vgg11", "mobilenet_v2", "transformer_encoder", "transformer_decoder")


def in_eager(first, count, *words):
    dump = common.JITPROBE.parent.parent / "tests" / "seedgen_dump"
    python = os.environ.get("JITPROBE_PYTHON", sys.executable)
    operators = words[:1]
    pipe = subprocess.Popen([dump, str(first), str(count), *operators], stdout=subprocess.PIPE)
    checker = subprocess.run([python, HERE / "seedgen" / "check_programs.py", "--whole", *words[1:]], stdin=pipe.stdout)
    return checker.returncode == 0 and pipe.wait() == 0


def generate(first=None, count=20000000):
    """From the first seed of the commit's day on (first_seed.sh), in pieces (soak_generate.py)."""
    return soak_generate.soak(common.JITPROBE.parent.parent / "tests", first, count)


def tables(first=0, count=0):
    """`count` programs of each table, evenly spread; 0: all."""
    dump = common.JITPROBE.parent.parent / "tests" / "table_dump"
    python = os.environ.get("JITPROBE_PYTHON", sys.executable)
    pipe = subprocess.Popen([dump, str(count)], stdout=subprocess.PIPE)
    checker = subprocess.run([python, HERE / "seedgen" / "check_tables.py"], stdin=pipe.stdout)
    return checker.returncode == 0 and pipe.wait() == 0


def breaks(first=0, count=6):
    """Calls of `count` seeds of each operator."""
    tests = common.JITPROBE.parent.parent / "tests"
    python = os.environ.get("JITPROBE_PYTHON", sys.executable)
    pipe = subprocess.Popen([tests / "breaks_dump", str(first), str(count), "0"], stdout=subprocess.PIPE)
    checker = subprocess.run([python, HERE / "seedgen" / "check_breaks.py", "--operators", "95"], stdin=pipe.stdout)
    refused = checker.returncode == 0 and pipe.wait() == 0
    swept = [swept_by(backend, first, count, one_in) for backend, one_in in (("aot_eager", 1), ("inductor", 17))]
    return refused and all(swept)


def swept_by(backend, first, count, one_in):
    """Whether a backend does nothing with broken calls that isn't in soak/breaks_expected.tsv."""
    words = ["breaks_soak", backend, first, count, 0, 1, one_in]
    sweep = subprocess.Popen([common.JITPROBE.parent.parent / "tests" / words[0], *map(str, words[1:])],
                             stdout=subprocess.PIPE, text=True)
    lines = []
    for line in sweep.stdout:
        lines.append(line)
        if not line.startswith("refused alike"):
            print(line, end="", flush=True)
    good = soak_breaks.holds(backend, lines)
    return sweep.wait() in (0, 1) and good


def of_mutations(*words):
    tests = common.JITPROBE.parent.parent / "tests"
    python = os.environ.get("JITPROBE_PYTHON", sys.executable)
    command = [python, HERE / "mutate" / "properties.py", tests / "mutate" / "mutate_filter", "--seedgen",
               tests / "seedgen_dump", "--tables", tests / "table_dump", *map(str, words)]
    return subprocess.run(command).returncode == 0


def mutations(first=1, count=20000):
    """`first` is the seed."""
    return of_mutations("--seed", first, "--applications", count)


def chains(first=1, count=1000):
    """`first` is the seed, `count` the length of each chain."""
    models = [HERE.parent / "corpus" / "models" / f"{name}.py" for name in CHAINED]
    return of_mutations("--seed", first, "--chain", count, "--sources", *models)


def intervals(first=0, count=1000):
    return in_eager(first, count, "100", "--finite", "0.95")


def clean(first=1, count=1000):
    """`first` is the campaign's seed."""
    with tempfile.TemporaryDirectory() as folder:
        answer = common.jitprobe("fuzz", "--backend", "plain", "--tests", count, "--seed", first, "--campaign",
                                 f"{folder}/campaign", "--json", timeout=7200)
        print(answer.stdout.strip() or answer.stderr[-2000:])
        result = common.last_json(answer)
        return answer.returncode == 0 and not any(result[key] for key in ("divergences", "findings", "flaky"))


def resume(first=0, count=5):
    script = HERE / "campaign" / "resume.py"
    return all(subprocess.run([sys.executable, script]).returncode == 0 for _ in range(first, first + count))


def of_runner(name, rounds):
    def soak(first=0, count=rounds):
        tool = common.JITPROBE.parent.parent / "tests" / "runner_soak"
        # Of its own: it is looked through for what is left.
        with common.folder() as temporary:
            return subprocess.run([tool, name, str(first), str(count)], env=os.environ | {"TMPDIR": temporary}).returncode == 0

    return soak


def judge(first=1, count=None):
    """`first` is the campaigns' seed."""
    return soak_judge.judge(first, count)


def standalone():
    words = [common.JITPROBE.parent.parent / "tests" / "test_judge", "--gtest_filter=*Standalone*"]
    return subprocess.run(words, env=os.environ | {"JUDGE_STANDALONE": "all"}).returncode == 0


def faults():
    words = [os.environ.get("JITPROBE_PYTHON", sys.executable), HERE / "planted" / "mutations.py"]
    return subprocess.run(words).returncode == 0


def avoids():
    return subprocess.run([sys.executable, HERE / "corpus" / "avoids.py"]).returncode == 0


def fleet(count=2000, arms=""):
    return soak_fleet.soak(count, [arm for arm in arms.split(",") if arm])


def drift(count=3600, first=1):
    """`count` is in seconds, `first` the campaign's seed."""
    return soak_drift.soak(count, first)


def real():
    return subprocess.run([sys.executable, HERE / "real" / "run.py"]).returncode == 0


SOAKS = {"generate": generate, "breaks": breaks, "mutations": mutations, "chains": chains, "intervals": intervals, "tables": tables,
         "clean": clean, "resume": resume, "deaths": of_runner("deaths", 1000), "forks": of_runner("forks", 10000),
         "isolation": of_runner("isolation", 500), "warm": of_runner("warm", 100), "overload": of_runner("overload", 1000),
         "ends": of_runner("ends", 500), "judge": judge, "standalone": standalone, "faults": faults, "avoids": avoids, "lines": soak_lines.soak,
         "fleet": fleet, "drift": drift, "writes": soak_disk.writes, "kills": soak_disk.kills,
         "headers": soak_headers.headers, "real": real}


def main():
    parser = argparse.ArgumentParser(prog="./dev soak", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all of them by default")
    parser.add_argument("--first", type=int, help="number of the first round, program or seed")
    parser.add_argument("--count", "--tests", type=int, help="how many")
    parser.add_argument("--arms", help="of fleet, comma-separated: one, processes, ray, files")
    asked = vars(parser.parse_args())
    names = asked.pop("names") or list(SOAKS)
    part = {key: value for key, value in asked.items() if value is not None}
    for name in names:
        if name not in SOAKS:
            parser.error(f"there is no soak '{name}': {', '.join(SOAKS)}")
        if (name != "fleet" and "arms" in part) or (name == "fleet" and "first" in part):
            parser.error("--arms goes with fleet alone, and --first not with it")
        if name in ("standalone", "faults", "avoids", "real") and part:
            parser.error(f"{name} has no parts: leave --first and --count out, or name the others")
    failed = []
    for name in names:
        print(f"{name}:", flush=True)
        if not SOAKS[name](**part):
            failed.append(name)
    print(f"failed: {', '.join(failed)}" if failed else "all held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
