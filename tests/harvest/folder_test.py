"""The folder of a harvest, and the command that is recorded, without torch."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest

PYRUNNER = pathlib.Path(__file__).resolve().parent.parent.parent / "pyrunner"
sys.path.insert(0, str(PYRUNNER))
sys.modules.setdefault("torch", types.SimpleNamespace(__version__="none"))

from harvest import command, manifest  # noqa: E402


def row(operator, text="pass\n"):
    return {"operator": operator, "name": f"torch.{operator}", "parameters": [], "dispatched": [], "text": text, "call": None}


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="jitprobe-test-")
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name, "harvest")


class Folder(InFolder):
    def harvested(self, *operators):
        """A harvest that is not closed, as one that is killed leaves it."""
        folder = manifest.Folder(self.path, "run")
        folder.check()
        for operator in operators:
            folder.add(row(operator))
        return folder

    def names(self):
        return sorted(path.name for path in self.path.iterdir())

    def test_an_earlier_harvest_stays_until_there_is_something_new(self):
        self.harvested("add", "mul").close()
        before = self.names()
        self.assertEqual(before, ["add_000.py", "instances.json", "mul_000.py", "operators.json"])
        self.harvested()
        self.assertEqual(self.names(), before)
        self.harvested("roll").close()
        self.assertEqual(self.names(), ["instances.json", "operators.json", "roll_000.py"])
        self.harvested().close()
        self.assertEqual(self.names(), ["instances.json", "operators.json"])

    def test_nothing_stays_of_a_harvest_that_was_killed(self):
        self.harvested(*["add"] * (manifest.EVERY + 3), "mul")
        listed = json.loads((self.path / manifest.NAME).read_text())["instances"]
        self.assertEqual(len(listed), manifest.EVERY)
        self.harvested("roll").close()
        self.assertEqual(self.names(), ["instances.json", "operators.json", "roll_000.py"])

    def test_what_the_user_put_there_stays(self):
        self.harvested("add")
        (self.path / "mine_001.py").write_text("pass\n")
        self.harvested("roll").close()
        self.assertIn("mine_001.py", self.names())

    def test_another_folder_is_refused(self):
        self.path.mkdir()
        (self.path / "notes.txt").write_text("mine")
        with self.assertRaisesRegex(manifest.BadUse, "something else"):
            self.harvested()
        (self.path / manifest.NAME).write_text("[")
        with self.assertRaisesRegex(manifest.BadUse, "damaged"):
            self.harvested()
        self.assertEqual(self.names(), ["instances.json", "notes.txt"])


# What `harvest run` does with its command, without torch.
HARVEST = """import sys, types
sys.modules["torch"] = types.SimpleNamespace(__version__="none")
sys.path.insert(0, sys.argv[1])
from harvest import command, signals
signals.end_in_order()
print("ended with", command.recorded([sys.executable, "-c", sys.argv[2], sys.argv[3]], sys.argv[3], 1, False))
"""
SLEEPS = """import os, sys, time
with open(sys.argv[1] + "/new", "w") as file:
    file.write(str(os.getpid()))
os.rename(sys.argv[1] + "/new", sys.argv[1] + "/process")
time.sleep(600)
"""


class Command(InFolder):
    def setUp(self):
        super().setUp()
        self.path.mkdir()
        # A shell that runs tests in the background ignores it, and so would all that they start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # `nohup` ignores it

    def test_what_cannot_be_run_is_said_in_a_sentence(self):
        with self.assertRaisesRegex(manifest.BadUse, "no command 'no-such-command'"):
            command.recorded(["no-such-command"], str(self.path), 1, True)
        script = self.path / "script"
        script.write_text("no program\n")
        script.chmod(0o755)
        with self.assertRaisesRegex(manifest.BadUse, "can't be run: Exec format error"):
            command.recorded([str(script)], str(self.path), 1, True)

    def begun(self):
        """A harvest in a process group of its own, and the process of its command, which sleeps."""
        words = [sys.executable, "-c", HARVEST, PYRUNNER, SLEEPS, self.path]
        harvest = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(harvest.kill)
        while harvest.poll() is None and not (self.path / "process").exists():
            time.sleep(0.02)
        self.assertIsNone(harvest.poll())
        return harvest, int((self.path / "process").read_text())

    def test_ctrl_c_ends_the_command_alone(self):
        harvest, process = self.begun()
        os.killpg(harvest.pid, signal.SIGINT)
        said, wrong = harvest.communicate()
        self.assertEqual((harvest.returncode, said), (0, f"ended with {-signal.SIGINT}\n"), wrong)
        self.assertFalse(os.path.exists(f"/proc/{process}"))

    def test_a_signal_that_ends_the_harvest_ends_the_command(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            harvest, process = self.begun()
            harvest.send_signal(number)
            said, wrong = harvest.communicate()
            self.assertEqual((harvest.returncode, said, wrong), (128 + number, "", ""))
            self.assertFalse(os.path.exists(f"/proc/{process}"))
            (self.path / "process").unlink()


if __name__ == "__main__":
    unittest.main()
