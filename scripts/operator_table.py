"""The file core/operators.tsv: its columns, reading, writing and comparing it. What stands in it: docs/operators.md."""

import pathlib

TABLE = pathlib.Path(__file__).resolve().parent.parent / "core" / "operators.tsv"
OURS = ["operands", "takes", "type", "shape", "numerics", "pieces", "families", "traits"]
TORCHS = ["name", "parameters", "spellings", "symbol", "module", "in_place", "out", "foreach", "aten", "returns", "result", "writes",
          "dtypes", "backward", "promotion", "tags"]


def read_table(path):
    """name -> column -> text, and the version that the table was made from."""
    rows, header, version = {}, None, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            version = line.rsplit(" ", 1)[-1]
            continue
        cells = line.split("\t")
        if header is None:
            header = cells
            continue
        rows[cells[0]] = dict(zip(header, cells))
    return rows, version


def write_table(rows, version):
    """`version`: of the torch that the rows come from."""
    lines = [f"# Written by scripts/operators.py, which docs/operators.md describes; its torch: {version}"]
    lines.append("\t".join(TORCHS + OURS))
    lines += ["\t".join(row[column] for column in TORCHS + OURS) for row in rows]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(rows, kept):
    for row in rows:
        was = kept.get(row["name"])
        if was is None:
            yield f"{row['name']}: torch has this operator, the table has no row of it"
            continue
        for column in TORCHS[1:]:
            if was[column] != row[column]:
                yield f"{row['name']}: {column} is {row[column]!r} by torch, {was[column]!r} in the table"
        if row["spellings"] == "-" and row["in_place"] == "-" and was["spellings"] != "-":
            yield f"{row['name']}: torch has no such operator"
