"""What breaks.py calls new, gone and not asked; and every row of breaks_expected.tsv has an answer and a note."""

import breaks

TABLE = """# a comment
backend	operator	constraint	answer	note
aot_eager	add_	dtype:1:near	accepted	cast
aot_eager	cond	literal:0:far	accepted	truth
aot_eager	bmm	dtype:0:near	compiler error	check
aot_eager	glu	dtype:0:near	accepted	other dtypes
inductor	glu	dtype:0:far	accepted	other dtypes
"""
LINES = """refused alike: broken add_ dtype:1:near bool 2d 2+: call: RuntimeError
accepted: broken add_ dtype:1:near complex64 5d 64+: call: eager has RuntimeError
import torch
refused with another class: broken cond literal:0:far float64 5d 64+: call: RuntimeError, against: accepted
accepted: broken bmm dtype:0:near bool 2d 2+: call: eager has RuntimeError
crash: broken sub_ dtype:1:near complex64 5d 64+: call: signal 11
       1 crash
""".splitlines(True)


def main():
    known = breaks.expected("aot_eager", TABLE)
    assert len(known) == 4 and breaks.expected("inductor", TABLE) == {("glu", "dtype:0:far"): "accepted"}
    new, gone, unasked = breaks.compared(known, LINES)
    assert [line.split(" ")[2] for line in new] == ["bmm", "sub_"], new
    assert gone == [("cond", "literal:0:far")], gone
    assert unasked == 2, unasked
    new, gone, _ = breaks.compared({}, LINES, known)
    assert len(new) == 2 and not gone, (new, gone)
    rows = [line.split("\t") for line in breaks.EXPECTED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert all(len(row) == 5 and all(row) for row in rows), [row for row in rows if len(row) != 5 or not all(row)]
    assert all(row[3] in breaks.DIFFERENT for row in rows[1:])
    assert len({tuple(row[:3]) for row in rows}) == len(rows)
    print(f"ok: {len(rows) - 1} rows")


if __name__ == "__main__":
    main()
