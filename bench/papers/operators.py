"""Operators that Isra and jitprobe both have, ONNX's name and ours: operators.tsv."""

import pathlib

LINES = pathlib.Path(__file__).with_name("operators.tsv").read_text().splitlines()
SHARED = dict(line.split("\t") for line in LINES if not line.startswith("#") and line != "onnx\tours")
