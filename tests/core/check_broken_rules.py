"""Runs every call of every broken rule in eager torch: each must raise on every tensor that its rule says it fits. Of
calls that break an operator's constraint all must but one in two hundred: what eager accepts of these is asked of other
tensors (only_ours.tsv). A campaign undoes the step of such a call.

Reads from standard input what broken_dump prints: the names of all rules, then lines {"rule", "call", "dtype", "shape",
"leaf"}. Exits 1 when a call was accepted, or when a rule fits no tensor.

    broken_dump | python check_broken_rules.py
"""

import json
import sys
import warnings

import torch


DRAWN = "constraints"
MOST_ACCEPTED = 0.005


def tensor_of(row):
    dtype = getattr(torch, row["dtype"])
    count = 1
    for size in row["shape"]:
        count *= size
    # Small whole numbers: as an index or as a count they would be valid, so that only their dtype can be refused.
    value = (torch.arange(count) % 2).to(dtype).reshape(row["shape"]).clone()
    return value.requires_grad_() if row["leaf"] else value


def accepted(row):
    try:
        eval(row["call"], {"torch": torch, "v": tensor_of(row)})
    except Exception:
        return False
    return True


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    names = json.loads(sys.stdin.readline())
    rows = [json.loads(line) for line in sys.stdin]
    missing = sorted(set(names) - {row["rule"] for row in rows})
    wrong = [row for row in rows if accepted(row)]
    drawn = [row for row in rows if row["rule"] == DRAWN]
    excused = [row for row in wrong if row["rule"] == DRAWN]
    print(f"{len(rows)} calls of {len(names)} rules, {len(wrong)} accepted" + (f", none of {missing}" if missing else ""))
    print(f"{len(excused)} of {len(drawn)} calls that break a constraint accepted")
    for row in wrong[:40]:
        print(f"  {row}")
    too_many = len(wrong) > len(excused) or len(excused) > MOST_ACCEPTED * len(drawn)
    sys.exit(1 if too_many or missing or not names else 0)


if __name__ == "__main__":
    main()
