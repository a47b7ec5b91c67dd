"""./dev new for all six kinds, in a copy of the tree: what it writes builds, is registered and passes its own test.

Only what is new is compiled: the copy is configured, its new objects are built, and tests are linked from these and from
what the build that runs this test has built already.
"""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "campaign"))
from common import ROOT, check  # noqa: E402

BUILD = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release"))
PYTHON = os.environ.get("JITPROBE_PYTHON", str(ROOT / ".venv" / "bin" / "python"))
NAME = "melt"
# Kind: where its catalogue is compiled, and the sources of tests that are new.
OBJECTS = {
    "operator": ["seedgen/CMakeFiles/jp_seedgen_operators.dir/operators/melt.cpp.o"],
    "table": ["seedgen/CMakeFiles/jp_seedgen_tables.dir/tables/melt.cpp.o"],
    "mutation": ["mutate/CMakeFiles/jp_mutate_mutations.dir/mutations/melt.cpp.o"],
    "oracle": ["oracle/CMakeFiles/jp_oracle_oracles.dir/oracles/melt.cpp.o",
               "tests/CMakeFiles/test_oracle.dir/oracle/melt_test.cpp.o"],
    "pass": ["oracle/reduce/CMakeFiles/jp_reduce_passes.dir/passes/melt.cpp.o"],
}
# Kind: the test program, which of its tests are the rule's own or go over the whole registry, and how many these are.
TESTS = {
    "operator": ("tests/test_seedgen", "Draws.CallsAreNamedByTheirOperator:Draws.OperatorsComeEvenly:Generate.*", 10),
    "table": ("tests/test_seedgen", "Tables.*", 3),
    "mutation": ("tests/test_mutate", "Cases.AllFiles:Engine.*", 8),
    "oracle": ("tests/test_oracle", "Melt.*:Property.*", 5),
    "pass": ("tests/test_reduce", "Cases.AllFiles:*Wishes*", 5),
}
PROGRAM = """import torch


def make_inputs():
    return (torch.arange(6.0).reshape(2, 3),)


def program(x):
    if {} and torch.compiler.is_compiling():
        return torch.relu(x) + 2
    return torch.relu(x) + 1
"""


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)


def done(answer, what, status=0):
    check(answer.returncode == status, f"{what}: exit {answer.returncode}:\n{answer.stdout[-4000:]}{answer.stderr[-4000:]}")
    return answer.stdout


def cached(name):
    """A setting of the build that runs this test."""
    for line in (BUILD / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"{name}:"):
            return line.split("=", 1)[1]
    return ""


def copy_of_the_tree(folder):
    """All that git knows or would take in, and the commands' own folder."""
    listed = done(run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT), "git ls-files")
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)


def make_all(copy):
    for kind in ["backend", *OBJECTS]:
        answer = run("./dev", "new", kind, NAME, cwd=copy)
        made = done(answer, f"./dev new {kind}").splitlines()[:-1]
        check(made and all((copy / name).is_file() for name in made), f"./dev new {kind}: {answer.stdout}")
        again = run("./dev", "new", kind, NAME, cwd=copy)
        check(again.returncode == 2 and "exists already" in again.stderr, f"./dev new {kind} again: {again}")
    bad = run("./dev", "new", "operator", "Melt", cwd=copy)
    check(bad.returncode == 2 and "snake_case" in bad.stderr, f"./dev new operator Melt: {bad}")
    for script in ("check_includes.py", "check_python.py", "check_templates.py"):
        done(run(sys.executable, f"scripts/{script}", cwd=copy), script)
    if shutil.which("clang-format"):
        texts = [path for path in copy.rglob("melt*.cpp")]
        done(run("clang-format", "--dry-run", "--Werror", *texts, cwd=copy), "clang-format")


def object_of(build, path):
    """Where the object of a file is: with others of its folder, if these are compiled several at a time."""
    folder, name = path.split(".dir/")
    for unit in sorted((build / f"{folder}.dir" / "Unity").glob("*.cxx")):
        if "/" + name.removesuffix(".o") in unit.read_text(encoding="utf-8"):
            return f"{folder}.dir/Unity/{unit.name}.o"
    return path


def build_objects(copy, build):
    """Configures the copy, whose globs find the new files, and compiles these."""
    settings = {"CMAKE_BUILD_TYPE": cached("CMAKE_BUILD_TYPE"), "JITPROBE_SANITIZE": cached("JITPROBE_SANITIZE"),
                "JITPROBE_GRAMMAR": cached("JITPROBE_GRAMMAR"), "JITPROBE_BENCH": "OFF", "JITPROBE_UNITY": cached("JITPROBE_UNITY"),
                # What is tested is that they build and what they do, not how fast.
                "CMAKE_CXX_FLAGS_RELEASE": "-O0 -DNDEBUG", "CMAKE_CXX_FLAGS_DEBUG": "-O0"}
    done(run("cmake", "-S", copy, "-B", build, "-G", "Ninja", *[f"-D{key}={value}" for key, value in settings.items()]), "cmake")
    objects = [object_of(build, path) for paths in OBJECTS.values() for path in paths]
    done(run("ninja", "-C", build, *objects), "the new files do not build")


def link(build, target):
    """The test program, from the copy's objects where they are there and from this build's else."""
    last = done(run("ninja", "-C", build, "-t", "commands", target), target).splitlines()[-1]
    words = next(part for part in last.split("&&") if f" -o {target} " in part)
    words = shlex.split(words)
    for place, word in enumerate(words):
        if word.endswith((".o", ".a")) and not word.startswith("/") and not (build / word).exists():
            words[place] = str(BUILD / word)
    done(run(*words, cwd=build), f"linking {target}")


def run_tests(copy, build):
    for kind, (target, names, least) in TESTS.items():
        link(build, target)
        answer = run(build / target, f"--gtest_filter={names}", cwd=copy, env=os.environ | {"JITPROBE_TESTS": str(copy / "tests")})
        said = done(answer, f"the tests of a new {kind}")
        passed = [line for line in said.splitlines() if line.startswith("[       OK ]")]
        check(len(passed) >= least, f"a new {kind}: only {len(passed)} tests ran")
        check(kind != "oracle" or any("Melt." in line for line in passed), f"its own test did not run: {passed}")


def run_operator(copy, build):
    """The new operator's calls in eager."""
    link(build, "tests/operator_dump")
    calls = done(run(build / "tests" / "operator_dump", 0, 20, NAME), "operator_dump").splitlines()
    check(len(calls) == 20 and all("torch.neg(" in line for line in calls), f"a new operator is not drawn: {calls}")
    checker = run(PYTHON, copy / "tests" / "seedgen" / "check_programs.py", input="\n".join(calls) + "\n")
    done(checker, "the new operator in eager")


def run_table(copy, build):
    """The new table's programs in eager."""
    link(build, "tests/table_dump")
    cells = done(run(build / "tests" / "table_dump", 0, NAME), "table_dump").splitlines()
    check(len(cells) == 6 and all("x.add_(1)" in cell or "x.mul_(2)" in cell for cell in cells), f"a new table lacks cells: {cells}")
    checker = run(PYTHON, copy / "tests" / "seedgen" / "check_tables.py", input="\n".join(cells) + "\n")
    done(checker, "the new table in eager")


def run_backend(copy):
    """The new backend is listed, compiles, and what it compiles wrongly is reported."""
    binary = BUILD / "app" / "jitprobe"
    environment = os.environ | {"JITPROBE_ROOT": str(copy), "JITPROBE_PYTHON": PYTHON}
    rows = json.loads(done(run(binary, "list", "backends", "--json", env=environment), "list backends"))
    check([bool(row["says"]) for row in rows if row["id"] == NAME] == [True], f"a new backend is not listed: {rows}")
    for fault, status, word in ((False, 0, "agree"), (True, 1, "diverge")):
        path = copy / f"mine_{status}.py"
        path.write_text(PROGRAM.format(fault), encoding="utf-8")
        said = done(run(binary, "run", path, "--backend", NAME, env=environment), f"run --backend {NAME}", status)
        check(f"{NAME}: {word}" in said, said)
    switched = run(binary, "run", copy / "mine_0.py", "--backend", NAME, "--oracle", "config_vs_config", "--switches", "dynamic",
                   env=environment)
    done(switched, "its switch")


def main():
    with tempfile.TemporaryDirectory(prefix="jitprobe-test-") as folder:
        copy = pathlib.Path(folder, "tree")
        build = copy / "build" / "new"
        copy_of_the_tree(copy)
        make_all(copy)
        build_objects(copy, build)
        run_tests(copy, build)
        run_operator(copy, build)
        run_table(copy, build)
        run_backend(copy)
    print("each of the six kinds is made, built, registered and tested")


if __name__ == "__main__":
    main()
