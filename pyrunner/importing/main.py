"""python main.py OPTIONS -- FILE…: what `jitprobe import` runs, in the Python whose torch is under test.

Exit 0: programs were written, each gives what its file gives; 1: one does not; 2: a file that no program can be made of,
with one sentence.
"""

import argparse
import os
import pathlib
import sys
import traceback
import warnings

sys.path[0] = str(pathlib.Path(__file__).resolve().parent.parent)
os.environ.setdefault("OMP_NUM_THREADS", "1")

SOURCES = {".py": "program_file", ".pt2": "archive", ".onnx": "onnx_model"}


def parsed(words):
    parser = argparse.ArgumentParser(prog="import")
    parser.add_argument("--out", required=True)
    parser.add_argument("--entry", default="program")
    parser.add_argument("--inputs", default="make_inputs")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("files", nargs="+")
    return parser.parse_args(words)


def unfit(file):
    """Why a file can't be imported, of what its name says; "" when it may be."""
    if not os.path.isfile(file):
        return "there is no such file" if not os.path.exists(file) else "it is no file"
    ending = pathlib.Path(file).suffix
    return "" if ending in SOURCES else f"what ends in '{ending}' can't be imported: take .onnx, .pt2, .py or a graph's .json"


def original_of(file, options):
    import importlib

    return importlib.import_module(f"importing.{SOURCES[pathlib.Path(file).suffix]}").original(file, options)


def flattened(original):
    """(text, what was found, whether it agrees)."""
    from harvest import CannotWrite
    from importing import CannotImport, agree, flat, record

    near, beside = agree.beside_reference(original)
    for names in (True, False):  # a public function may take other arguments than its operator
        recorded = record.Recorded(original, flat.WRITTEN, names)
        source = flat.program_text(original, recorded.instance)
        try:
            fault = agree.differences(original, recorded, source)
        except CannotWrite as error:
            failure = CannotImport(str(error))
            continue
        failure = None
        if not fault:
            return source, f"{size(recorded)}, {agree.found(original, recorded, source)}{beside}", near
    if failure:
        raise failure
    return source, f"{size(recorded)}, their {fault} differ{beside}", False


def size(recorded):
    calls, arguments = len(recorded.instance["calls"]), len(recorded.live)
    drawn = sum(tensor["storage"] in recorded.instance["drawn"] for tensor in recorded.instance["tensors"])
    return f"{calls} statements, {arguments} arguments" + (f" ({drawn} of them drawn)" if drawn else "")


def target_of(file, out):
    return os.path.join(out, pathlib.Path(file).stem + ".py") if out.endswith("/") or os.path.isdir(out) else out


def bring_in(file, options):
    """Imports one file; whether it agrees. Raises CannotImport."""
    from importing import CannotImport

    text, found, agrees = flattened(original_of(file, options))
    target = target_of(file, options.out)
    if target == "-":
        print(text, end="", flush=True)
        print(f"{file}: {found}", file=sys.stderr)
        return agrees
    try:
        pathlib.Path(target).write_text(text, encoding="utf-8")
    except OSError as error:
        raise CannotImport(f"can't write {target}: {error.strerror}") from None
    print(f"{target}: {found}", flush=True)
    return agrees


def main(words):
    options = parsed(words)
    for file in options.files:  # before torch, which takes seconds
        if wrong := unfit(file):
            print(f"jitprobe: {file}: {wrong}", file=sys.stderr)
            return 2
    import torch

    from importing import CannotImport

    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    agree = True
    for file in options.files:
        try:
            agree &= bring_in(file, options)
        except CannotImport as wrong:
            print(f"jitprobe: {file}: {wrong}", file=sys.stderr)
            return 2
        except Exception:  # a fault of ours: not what exit 1 means
            traceback.print_exc()
            return 70
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
