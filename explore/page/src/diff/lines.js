// The difference of two texts, line by line: Myers' algorithm (1986), shortest edit script, after common ends are cut.
const LARGEST = 1000; // edits; texts further apart are shown as removed and added as a whole

/** [{kind: "same" | "removed" | "added", text, before, after}] with line numbers from 1. */
export function diffLines(before, after) {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = editScript(a.slice(head, a.length - tail), b.slice(head, b.length - tail));
  const kinds = [...Array(head).fill("same"), ...middle, ...Array(tail).fill("same")];
  let i = 0;
  let j = 0;
  return kinds.map((kind) => {
    if (kind === "removed") return { kind, text: a[i], before: ++i, after: null };
    if (kind === "added") return { kind, text: b[j], before: null, after: ++j };
    return { kind, text: a[i], before: ++i, after: ++j };
  });
}

function editScript(a, b) {
  const trace = furthest(a, b);
  if (trace === null) return [...a.map(() => "removed"), ...b.map(() => "added")];
  const kinds = [];
  let x = a.length;
  let y = b.length;
  for (let d = trace.length - 1; d > 0; d--) {
    const reach = trace[d - 1];
    const k = x - y;
    const down = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1));
    const px = reach.get(down ? k + 1 : k - 1);
    const py = px - (down ? k + 1 : k - 1);
    for (; x > px && y > py; x--, y--) kinds.push("same");
    kinds.push(down ? "added" : "removed");
    x = px;
    y = py;
  }
  for (; x > 0; x--) kinds.push("same");
  return kinds.reverse();
}

// For each number of edits, how far each diagonal reaches in `a`. Null if there are too many edits.
function furthest(a, b) {
  const trace = [];
  let reach = new Map([[1, 0]]);
  for (let d = 0; d <= Math.min(a.length + b.length, LARGEST); d++) {
    const next = new Map();
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && reach.get(k - 1) < reach.get(k + 1));
      let x = down ? reach.get(k + 1) : reach.get(k - 1) + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      next.set(k, x);
      if (x >= a.length && x - k >= b.length) return [...trace, next];
    }
    trace.push(next);
    reach = next;
  }
  return null;
}

/** The same lines in hunks with `context` lines around each change: [{skipped, lines}]. */
export function hunks(lines, context = 3) {
  const near = new Uint8Array(lines.length);
  lines.forEach(({ kind }, i) => {
    if (kind !== "same") near.fill(1, Math.max(0, i - context), i + context + 1);
  });
  const parts = [];
  let skipped = 0;
  lines.forEach((line, i) => {
    if (!near[i]) {
      skipped++;
      return;
    }
    if (skipped > 0 || parts.length === 0) parts.push({ skipped, lines: [] });
    skipped = 0;
    parts.at(-1).lines.push(line);
  });
  return { parts, rest: skipped };
}
