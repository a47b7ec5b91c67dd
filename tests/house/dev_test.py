"""What the scripts of ./dev do with steps that fail, with states that were there before, and with what they find on a machine.
In a folder that stands for the tree; programs that would take long are stubs."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
# As dev does it.
HEAD = """set -euo pipefail
root=$1 cd_from=$1 tested_python=
die() { echo "dev: $*" >&2; exit 2; }
for part in setup build page check; do source "$root/scripts/$part.sh"; done
"""
# A Python as make_venv sees it: what it installs is noted; a venv without the file `pip` was interrupted.
PYTHON = """#!/bin/bash
case "$1 ${2:-}" in
  "- ") echo "3.11 $0" ;;
  "-c "*) echo /prefix ;;
  "-m venv") mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && touch "$3/bin/pip" && echo "venv" >>"$NOTES" ;;
  "-m pip") [ -e "$(dirname "$0")/pip" ] && { [ "$3" = --version ] || echo "$@" >>"$NOTES"; } ;;
esac
"""
NODE = """#!/bin/bash
[ "$1" != --version ] || { echo 20; exit; }
echo page >>"$NOTES"
mkdir -p "$2" && touch "$2/page.html" "$2/report.html"
"""
NPM = """#!/bin/bash
echo npm >>"$NOTES"
[ ! -e "$BROKEN" ] && mkdir node_modules
"""
CMAKE = """#!/bin/bash
echo cmake >>"$NOTES"
[ ! -e "$BROKEN" ] && touch build/release/build.ninja
"""


class Dev(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jitprobe-test-")
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve() / "tree"
        self.bin, self.notes, self.broken = self.root / "bin", self.root / "notes", self.root / "broken"
        self.bin.mkdir(parents=True)
        self.notes.touch()
        (self.root / "scripts").symlink_to(ROOT / "scripts")

    def stub(self, name, text="#!/bin/bash\n"):
        path = self.bin / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def run_in(self, script, **variables):
        """The script after dev's head, without the variables of a command that this test may run in."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("JITPROBE_", "GIT_"))}
        environment |= {"PATH": f"{self.bin}:{os.environ['PATH']}", "NOTES": str(self.notes), "BROKEN": str(self.broken)}
        return subprocess.run(["bash", "-c", HEAD + script, "bash", self.root], capture_output=True, text=True,
                              env=environment | variables)

    def noted(self):
        """What stubs noted since the last call."""
        lines = self.notes.read_text().splitlines()
        self.notes.write_text("")
        return lines


class Lock(Dev):
    def test_the_status_of_what_runs_under_it(self):
        answer = self.run_in("step() { return 3; }; with_lock step || echo status $?; with_lock true && echo fine")
        self.assertEqual((answer.returncode, answer.stdout), (0, "status 3\nfine\n"), answer.stderr)

    def test_a_step_that_fails_ends_all(self):
        answer = self.run_in("step() { false; echo on; }; with_lock step; echo after")
        self.assertEqual((answer.returncode, answer.stdout), (1, ""), answer.stderr)

    def test_what_cannot_be_written_is_said_in_a_sentence(self):
        (self.root / ".deps").touch()
        answer = self.run_in("with_lock echo on")
        self.assertEqual((answer.returncode, answer.stdout, answer.stderr.count("\n")), (2, "", 1))
        self.assertIn("can't be written", answer.stderr)


class Steps(Dev):
    def test_a_venv_that_was_interrupted_is_made_anew(self):
        self.stub("python3", PYTHON)
        make = 'with_lock make_venv "$root/.venv" one'
        (self.root / ".venv" / "bin").mkdir(parents=True)
        (self.root / ".venv" / "bin" / "python").symlink_to(self.bin / "python3")
        for expected in (["venv", "pip"], []):
            answer = self.run_in(make)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual([line.split()[0].replace("-m", "pip") for line in self.noted()], expected)

    def test_a_venv_is_not_taken_for_that_of_an_earlier_state(self):
        self.stub("python3", PYTHON)
        for wanted, installs in (("one", 1), ("two", 1), ("one", 1), ("one", 0)):
            self.run_in(f'with_lock make_venv "$root/.venv" {wanted}; with_lock make_venv "$root/.venv-ray" ray')
            lines = [line for line in self.noted() if line.endswith(wanted)]
            self.assertEqual(len(lines), installs, wanted)

    def test_a_python_that_makes_no_venv(self):
        self.stub("python3", PYTHON.replace('"-m venv") ', '"-m venv") exit 1 ;;\n  "never") '))
        answer = self.run_in('with_lock make_venv "$root/.venv" one')
        self.assertEqual(answer.returncode, 2)
        self.assertIn("can't make a venv", answer.stderr)

    def test_a_page_is_not_taken_for_that_of_earlier_sources(self):
        self.page_sources()
        for text, builds in (("A", 1), ("B", 1), ("A", 1), ("A", 0)):
            (self.root / "explore" / "page" / "src" / "main.js").write_text(text)
            answer = self.run_in("build_page_if_possible")
            self.assertEqual(self.noted().count("page"), builds, answer.stderr)

    def test_packages_of_the_page_that_could_not_be_installed(self):
        self.page_sources()
        self.broken.touch()
        answer = self.run_in("build_page_if_possible")
        self.assertEqual((answer.returncode, self.noted()), (0, ["npm"]), answer.stderr)
        self.assertIn("was not built", answer.stderr)
        self.broken.unlink()
        self.run_in("build_page_if_possible")
        self.assertEqual(self.noted(), ["npm", "page"])

    def page_sources(self):
        for name, text in (("npm", NPM), ("node", NODE), ("chromium", "#!/bin/bash\n")):
            self.stub(name, text)
        for name in ("docs/mutations.md", "oracle/judge/rules.h", "explore/page.h", "explore/page/package.json", "report/known_head.h",
                     "explore/page/package-lock.json", "explore/page/build.mjs", "explore/page/src/main.js", ".deps/there"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).touch()
        (self.root / ".deps" / "stamps").mkdir()

    def test_a_build_that_could_not_be_configured(self):
        self.stub("cmake", CMAKE)
        self.broken.touch()
        answer = self.run_in("configure_folder release || true; echo on")
        self.assertEqual((answer.returncode, answer.stdout), (2, ""))
        self.broken.unlink()
        for times in (1, 0):
            self.noted()
            self.assertEqual(self.run_in("configure_folder release").returncode, 0)
            self.assertEqual(len(self.noted()), times)

    def test_a_clone_that_was_moved_is_configured_anew(self):
        self.stub("cmake", CMAKE)
        link = self.root.parent / "link"
        link.symlink_to(self.root)
        self.run_in("configure_folder release")
        for home, times in ((self.root, 0), (link, 0), ("/moved/from/here", 1)):
            self.noted()
            (self.root / "build" / "release" / "CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={home}\n")
            self.run_in("configure_folder release")
            self.assertEqual(len(self.noted()), times, home)


class Found(Dev):
    def test_jobs_fit_into_the_memory_of_a_container(self):
        limit = self.root / "memory.max"

        def jobs(text):
            limit.write_text(f"{text}\n")
            answer = self.run_in(f"memory_limit_file={limit}; jobs_of_size 1 1000; jobs_of_size 2 1000")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            return [int(line) for line in answer.stdout.split()]

        self.assertLessEqual(jobs(5 << 30), [5, 2])
        self.assertEqual(jobs(1 << 20), [1, 1])
        self.assertEqual(jobs("max"), jobs(1 << 60))

    def test_each_name_of_chromium_counts(self):
        words = [shutil.which("bash"), "-c", HEAD + "have_chromium && echo yes || echo no", "bash", self.root]
        for name, expected in (("", "no"), ("chromium", "yes"), ("chromium-browser", "yes"), ("google-chrome", "yes")):
            stub = self.stub(name or "another")
            answer = subprocess.run(words, capture_output=True, text=True, env={"PATH": str(self.bin)})
            self.assertEqual(answer.stdout, expected + "\n", answer.stderr)
            stub.unlink()

    def test_within_a_command_of_this_tree_its_python_is_tested(self):
        ask = 'resolve_python; echo "$tested_python $venv_from"'
        venv = self.root / ".venv" / "bin" / "python"
        outside = {"JITPROBE_PYTHON": "/base/python"}
        self.assertEqual(self.run_in(ask, **outside).stdout, f"{venv} /base/python\n")
        within = outside | {"JITPROBE_ROOT": str(self.root), "JITPROBE_PYTHON": "/its/python"}
        self.assertEqual(self.run_in(ask, **within).stdout, "/its/python \n")
        self.assertEqual(self.run_in(ask, **within, JITPROBE_VENV_FROM="/base/python").stdout, "/its/python /base/python\n")
        self.assertEqual(self.run_in(ask, **within | {"JITPROBE_ROOT": "/another"}).stdout, f"{venv} /its/python\n")
        # As it is handed on.
        script = 'tested_python=/its/python; export_tools; bash -c "$INNER" bash "$root"'
        for given in ({}, outside):
            answer = self.run_in(script, INNER=HEAD + ask, **given)
            self.assertEqual(answer.stdout, f"/its/python {given.get('JITPROBE_PYTHON', '')}\n", answer.stderr)

    def test_folders_that_git_does_not_know_are_not_formatted(self):
        for name in ("core/a.cpp", "core/b.h", "night/findings/c.cpp", "d.cpp"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).touch()
        answer = self.run_in('cd "$root"; git init -q .; git add core/a.cpp; cpp_files | tr "\\0" "\\n"')
        self.assertEqual(sorted(answer.stdout.split()), ["core/a.cpp", "core/b.h"], answer.stderr)


if __name__ == "__main__":
    unittest.main()
