"""clang-tidy over the files of the libraries that changed: tidy.py --build FOLDER --passed FILE [--since COMMIT] [--jobs N].

A file is looked at when its text, or the text of a header of ours that it includes, however deep, is another one than in
COMMIT; without COMMIT, than when it last passed here, with the same checks and the same clang-tidy (FILE keeps that). Tests
and benchmarks are not looked at. Prints what clang-tidy says; exit 1 when a file does not pass.
"""

import argparse
import concurrent.futures
import hashlib
import json
import pathlib
import re
import subprocess
import sys

import check_includes

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIBRARIES = check_includes.ALLOWED
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)


def included(path, text):
    """Paths, from the root, of headers of ours in a file's text."""
    for name in INCLUDE.findall(text):
        for candidate in (ROOT / name, (ROOT / path).parent / name):
            if candidate.is_file():
                yield str(candidate.resolve().relative_to(ROOT))
                break


class Tree:
    """The files as they are."""

    def __init__(self):
        self.texts = {}
        self.reached = {}

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = (ROOT / path).read_text(encoding="utf-8")
        return self.texts[path]

    def reach(self, path):
        """The file and every header of ours that it includes."""
        if path not in self.reached:
            found, left = {path}, [path]
            while left:
                at = left.pop()
                for header in included(at, self.text(at)):
                    if header not in found:
                        found.add(header)
                        left.append(header)
            self.reached[path] = found
        return self.reached[path]

    def digest(self, path, checks):
        parts = hashlib.sha256(checks.encode())
        for name in sorted(self.reach(path)):
            parts.update(f"{name}\0{self.text(name)}\0".encode())
        return parts.hexdigest()


def changed_since(commit):
    """Paths that differ from the commit, those that git does not know yet included."""
    words = (["diff", "--name-only", commit, "--"], ["ls-files", "--others", "--exclude-standard"])
    names = [subprocess.run(["git", *asked], cwd=ROOT, check=True, capture_output=True, text=True).stdout for asked in words]
    return set("".join(names).split("\n"))


def compiled(build):
    """Files of the libraries that the build compiles, from the root."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    paths = {pathlib.Path(command["directory"], command["file"]).resolve() for command in commands}
    names = {str(path.relative_to(ROOT)) for path in paths if path.is_relative_to(ROOT)}
    return sorted(name for name in names if name.endswith(".cpp") and name.split("/")[0] in LIBRARIES)


def look(build, path):
    """Whether it passes, and what clang-tidy says."""
    command = ["clang-tidy", "--quiet", "--warnings-as-errors=*", "-p", str(build), path]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return answer.returncode == 0, answer.stdout + (answer.stderr if answer.returncode else "")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--passed", type=pathlib.Path, required=True)
    parser.add_argument("--since")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="print what would be looked at")
    options = parser.parse_args()
    version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True, text=True).stdout
    checks = (ROOT / ".clang-tidy").read_text(encoding="utf-8") + version
    passed = json.loads(options.passed.read_text(encoding="utf-8")) if options.passed.exists() else {}
    tree = Tree()
    digests = {path: tree.digest(path, checks) for path in compiled(options.build)}
    todo = [path for path, digest in digests.items() if passed.get(path) != digest]
    if options.since:
        changed = changed_since(options.since)
        # Other checks may say something new of any file.
        todo = [path for path in todo if ".clang-tidy" in changed or tree.reach(path) & changed]
    if options.list:
        print("\n".join(todo))
        return 0
    if todo:
        print(f"dev: clang-tidy looks at {len(todo)} of {len(digests)} files", file=sys.stderr, flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, (good, text) in zip(todo, pool.map(lambda path: look(options.build, path), todo)):
            failed += not good
            if good:
                passed[path] = digests[path]
                # At once: what an interrupted run has looked at is not looked at again.
                options.passed.write_text(json.dumps(passed, indent=0, sort_keys=True), encoding="utf-8")
            else:
                print(f"{path}:\n{text}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
