"""deploy/: what is written there is what Kubernetes, Slurm and jitprobe know. The fields of the Job are compared with the
models of Kubernetes' own client. Run with the Python of `./dev setup --ray`, which has them; skipped without."""

import os
import pathlib
import re
import subprocess
import sys

try:
    import yaml
    from kubernetes.client import models
except ImportError as missing:
    print(f"skipped: {missing} (./dev setup --ray)")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
JITPROBE = pathlib.Path(os.environ.get("JITPROBE_BINARY_DIR", ROOT / "build" / "release")) / "app" / "jitprobe"
# Of sbatch's manual page: the long options that are used.
SBATCH = {"job-name", "array", "ntasks", "cpus-per-task", "mem", "time", "signal", "output"}
# https://docs.docker.com/reference/dockerfile
DOCKER = {"FROM", "RUN", "COPY", "ENV", "CMD"}


# What a program may have, in GiB, and what a warm process has beside, which is less than one GiB.
PROGRAM = re.search(r"memory_bytes = std::int64_t\{(\d+)\} << 30;", (ROOT / "pyrunner" / "options.h").read_text())
LEAST_GIB = int(PROGRAM[1]) + 1


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def fits(value, kind, where):
    """A value has the form of a model of Kubernetes' client, and no fields that it doesn't know."""
    if found := re.fullmatch(r"[Ll]ist\[(.+)\]", kind):
        check(isinstance(value, list), f"{where}: no list")
        for number, part in enumerate(value):
            fits(part, found[1], f"{where}[{number}]")
    elif found := re.fullmatch(r"[Dd]ict(?:\(|\[)str, (.+)[)\]]", kind):
        for key, part in value.items():
            fits(part, found[1], f"{where}.{key}")
    elif hasattr(models, kind):
        model = getattr(models, kind)
        kinds = {model.attribute_map[name]: one for name, one in model.openapi_types.items()}
        for key, part in value.items():
            check(key in kinds, f"{where}: {kind} has no {key}")
            fits(part, kinds[key], f"{where}.{key}")
    else:
        check(isinstance(value, {"int": int, "str": str, "bool": bool, "object": object}[kind]), f"{where}: {value!r} is no {kind}")


def flags_are_known(text, where):
    """Every flag of a command of jitprobe's in a text."""
    said = subprocess.run([JITPROBE, "--help"], capture_output=True, text=True, check=True).stdout
    commands = re.findall(r"\bjitprobe[\", ]+(fuzz|lease)\b([^\n]*)", text)
    check(commands, f"{where} has no command of jitprobe's")
    for command, rest in commands:
        check(command in said, f"{where}: there is no jitprobe {command}")
        help = subprocess.run([JITPROBE, command, "--help"], capture_output=True, text=True, check=True).stdout
        for flag in re.findall(r"--[a-z]+", rest):
            check(re.search(rf"{flag}\b", help), f"{where}: jitprobe {command} has no {flag}")


def kubernetes(text):
    jobs = {job["metadata"]["name"]: job for job in yaml.safe_load_all(text)}
    for name, job in jobs.items():
        fits(job, "V1Job", name)
    lease = jobs["jitprobe-lease"]["spec"]
    command = lease["template"]["spec"]["containers"][0]["command"]
    count = command[command.index("--count") + 1]
    check(count == str(lease["completions"]), "--count is another number than completions")
    limit = lease["template"]["spec"]["containers"][0]["resources"]["limits"]["memory"]
    check(int(limit.removesuffix("Gi")) >= LEAST_GIB, f"a program may have more than {limit}")
    rules = lease["podFailurePolicy"]["rules"]
    unlike = re.search(r"kUnlike = (\d+);", (ROOT / "app" / "cmd_lease.cpp").read_text())[1]
    check(rules[0]["onExitCodes"]["values"] == [int(unlike)], "the exit status of a machine that is unlike")
    check(rules[0]["action"] == "FailIndex" and lease["completionMode"] == "Indexed", "of that index alone")
    check(all(job["spec"]["template"]["spec"]["restartPolicy"] == "Never" for job in jobs.values()), "restartPolicy")
    drained = {"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]}
    for name, job in jobs.items():
        check(drained in job["spec"]["podFailurePolicy"]["rules"], f"{name}: a pod that is drained counts as a failure")


def slurm(text):
    options = re.findall(r"^#SBATCH --([a-z-]+)=\S+$", text, re.M)
    check(len(options) == text.count("#SBATCH") and set(options) <= SBATCH, f"options of sbatch: {options}")
    check(int(re.search(r"--mem=(\d+)G$", text, re.M)[1]) >= LEAST_GIB, "a program may have more memory")
    check("$SLURM_ARRAY_TASK_ID" in text and "--array=0-" in text, "the first index is 0")
    check(subprocess.run(["bash", "-n"], input=text, text=True).returncode == 0, "it is no shell script")


def docker(text):
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    check({line.split()[0] for line in lines} <= DOCKER, f"instructions: {lines}")
    check(lines[0].startswith("FROM debian:"), "it begins with Debian")
    usage = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True).stdout
    for words in re.findall(r"\./dev (\w+ --\w+)", text):
        check(words in usage, f"./dev {words} is not there")


def main():
    folder = ROOT / "deploy"
    kubernetes((folder / "kubernetes.yaml").read_text())
    slurm((folder / "slurm.sbatch").read_text())
    docker((folder / "Dockerfile").read_text())
    for name in ("kubernetes.yaml", "slurm.sbatch"):
        flags_are_known((folder / name).read_text(), name)
    print("deploy: as its tools have it")


if __name__ == "__main__":
    main()
