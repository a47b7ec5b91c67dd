"""A compiler that counts what it compiled, and sometimes compiles nothing.

Option: `mode` is "nothing" (every frame is left to Python), "limit" (recompiled too often, then left to Python), "all".
`habit`: "copies" gives a copy of each result; "wrong" adds one to it.
"""

_counts = {"frames_seen": 0, "frames_compiled": 0, "graphs": 0, "recompile_limit_hits": 0}


def counters():
    return {"known": True, "graph_breaks": {}, "others": {}, **_counts}


def compile(fn, mode="all", habit="copies", **options):
    def compiled(*arguments):
        _counts["frames_seen"] += 1
        if mode == "all":
            _counts["frames_compiled"] += 1
            _counts["graphs"] += 1
        if mode == "limit":
            _counts["frames_compiled"], _counts["graphs"], _counts["recompile_limit_hits"] = 1, 1, 1
        result = fn(*arguments)
        return result.clone() if habit == "copies" else result + 1

    return compiled
