// The page's own reckoning, without a browser: lineage text, diffs, values of tensors, words. Graphs: graphs.mjs; what
// is kept and asked for: state.mjs.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import { eventParser } from "../../../explore/page/src/api/stream.js";
import { rates } from "../../../explore/page/src/campaign/series.js";
import { diffLines, hunks } from "../../../explore/page/src/diff/lines.js";
import { headWith } from "../../../explore/page/src/editor/head.js";
import { ticks } from "../../../explore/page/src/plots/scale.js";
import { compareRuns } from "../../../explore/page/src/run/compare.js";
import { distance, elementsOf, elementText, fromHex, indexIn } from "../../../explore/page/src/run/values.js";
import { extent } from "../../../explore/page/src/sites/extent.js";
import { measured, verdictSays, verdictWord } from "../../../explore/page/src/run/words.js";
import { keptStep, lineOf, moved, partsOf, reordered } from "../../../explore/page/src/state/lineage.js";
import { numbers } from "./numbers.mjs";

globalThis.crypto ??= webcrypto; // Node 18 has it behind a flag

const step = (text, on = text !== "") => ({ key: text, text, on });

// That it comes back is tried with the server, which reads it (steps_test.cpp, server.py).
function a_lineage_is_one_line() {
  const texts = ["true_block@s3:s5=1,'x > 0; y'", "", "wrap_try@m0.0=5,'it\\'s \\\\','a\\nb'", "break_graph@s8:s9"];
  const line = lineOf(texts.map((text) => step(text)));
  assert.ok(!line.includes("\n"));
  assert.equal(line, `${texts[0]}; -; ${texts[2]}; ${texts[3]}`);
  assert.equal(lineOf([step("a@s1"), step("b@s2", false)]), "a@s1");
  assert.deepEqual(partsOf("a@s1:0=1,'b@c=d'"), { mutation: "a", site: "s1:0", draws: "1,'b@c=d'" });
}

function moved_steps_keep_their_statements() {
  const steps = [step("a@s1=1"), step("b@s2=1"), step("c@m1.0:m1.2=4,'m0.1'"), step("")];
  const after = reordered(steps, moved(4, 0, 1));
  assert.deepEqual(
    after.map(({ text }) => text),
    ["b@s2=1", "a@s1=1", "c@m0.0:m0.2=4,'m1.1'", ""],
  );
}

function what_names_a_removed_step_does_not_apply() {
  const steps = [step("a@s1=1"), step("b@s2=1"), step("c@m0.0=1"), step("d@m1.0=m2.1")];
  const after = reordered(steps, [1, 2, 3]);
  assert.deepEqual(
    after.map(({ text }) => text),
    ["b@s2=1", "c@m1.0=1", "d@m0.0=m1.1"],
  );
}

function steps_that_are_off_are_kept_in_files() {
  for (const one of [step("a@s1=1"), step("b@s2=1", false), step("")]) {
    const { text, on } = keptStep({ text: one.text, on: one.on });
    assert.deepEqual([text, on], [one.text, one.on && one.text !== ""]);
  }
  assert.deepEqual([keptStep("a@s1").on, keptStep("").on], [true, false]);
}

function diffs_give_both_texts_back() {
  const draw = numbers(7);
  const text = () => Array.from({ length: draw.next().value % 14 }, () => "abcd"[draw.next().value % 4]).join("\n");
  for (let i = 0; i < 2000; i++) {
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after);
    assert.equal(
      lines
        .filter(({ kind }) => kind !== "added")
        .map((line) => line.text)
        .join("\n"),
      before,
    );
    assert.equal(
      lines
        .filter(({ kind }) => kind !== "removed")
        .map((line) => line.text)
        .join("\n"),
      after,
    );
  }
  const lines = diffLines("a\nb\nc", "a\nx\nc");
  assert.deepEqual(
    lines.map(({ kind }) => kind),
    ["same", "removed", "added", "same"],
  );
  const long = Array.from({ length: 100 }, (_, i) => `line ${i}`);
  const { parts, rest } = hunks(
    diffLines(long.join("\n"), long.map((line, i) => (i === 50 ? "new" : line)).join("\n")),
  );
  assert.deepEqual([parts.length, parts[0].skipped, parts[0].lines.length, rest], [1, 47, 8, 46]);
}

const tensor = (dtype, shape, bytes) => ({
  dtype,
  shape,
  layout: "strided",
  bytes: { base64: Buffer.from(bytes).toString("base64") },
});
const texts = (record) => {
  const elements = elementsOf(record);
  return Array.from({ length: elements.count }, (_, i) => elementText(elements.at(i), elements.digits));
};

function elements_are_read() {
  assert.deepEqual(texts(tensor("float32", [3], new Uint8Array(Float32Array.of(0.1, -0, NaN).buffer))), [
    "0.1",
    "-0",
    "nan",
  ]);
  assert.deepEqual(texts(tensor("float16", [4], [0x00, 0x3c, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x7c])), [
    "1",
    "-2",
    "5.9605e-8",
    "inf",
  ]);
  assert.deepEqual(texts(tensor("bfloat16", [2], [0x80, 0x3f, 0x40, 0xc0])), ["1", "-3"]);
  assert.deepEqual(texts(tensor("int64", [1], [255, 255, 255, 255, 255, 255, 255, 127])), ["9223372036854775807"]);
  assert.deepEqual(texts(tensor("bool", [2], [0, 1])), ["False", "True"]);
  assert.deepEqual(texts(tensor("complex64", [1], new Uint8Array(Float32Array.of(1, -2).buffer))), ["1-2j"]);
  assert.equal(elementsOf({ dtype: "float32", layout: "sparse_coo" }), null);
  assert.deepEqual(indexIn([2, 3], 5), [1, 2]);
  assert.equal(fromHex("0x1.8000000000000p+1"), "3");
  assert.equal(fromHex("-0x1.999999999999ap-4"), "-0.1");
}

function distances_are_never_negative() {
  for (const [one, other] of [
    [3, 5],
    [5, 3],
  ]) {
    assert.equal(distance(one, other), 2);
    assert.equal(distance(BigInt(one), BigInt(other)), 2n);
    assert.equal(distance([one, 0], [other, 0]), 2);
  }
  assert.equal(elementText(distance(-(2n ** 62n), 2n ** 62n + 1n), 4), "9223372036854775809");
  assert.equal(distance(true, false), 1);
}

function outcome(role, numbersOf) {
  return {
    role,
    ending: {
      kind: "finished",
      observation: {
        calls: [
          {
            output: {
              kind: "sequence",
              type: "tuple",
              items: [
                { kind: "tensor", index: 0 },
                { kind: "int", type: "int", text: "3" },
              ],
            },
            gradients: { kind: "mapping", type: "dict", labels: ["'w'"], items: [{ kind: "tensor", index: 1 }] },
          },
        ],
        tensors: numbersOf.map((row) => tensor("float32", [row.length], new Uint8Array(Float32Array.from(row).buffer))),
      },
    },
  };
}

function places_are_compared() {
  const verdict = {
    kind: "diverge",
    reference: "eager",
    under_test: "compiled",
    differences: [{ where: "output[0]" }],
  };
  const { rows } = compareRuns({
    verdict,
    outcomes: [outcome("eager", [[1, 2], [3]]), outcome("compiled", [[1, 4], [3.0000002]])],
  });
  const states = Object.fromEntries(rows.map((row) => [row.where, row.state]));
  assert.deepEqual(states, { "output[0]": "wrong", "output[1]": "same", "gradients['w']": "rounding" });
  assert.deepEqual(rows.find((row) => row.where === "output[0]").elements.indices, [1]);
}

function a_call_that_raised_decides_first() {
  const raising = outcome("compiled", [[1], [2]]);
  raising.ending.observation.calls = [{ exception: { type: "IndexError", message: "out of bounds" } }];
  const { rows } = compareRuns({
    verdict: { kind: "diverge", differences: [{ mismatch: "raises", where: "call" }] },
    outcomes: [outcome("eager", [[1], [2]]), raising],
  });
  assert.equal(rows[0].where, "exception");
  assert.deepEqual(
    rows.map(({ missing }) => missing),
    [false, true, true, true],
  );
}

function a_run_without_values_is_compared_with_nothing() {
  const { rows } = compareRuns({
    verdict: { kind: "diverge", differences: [{ mismatch: "death", where: "process" }] },
    outcomes: [outcome("eager", [[1], [2]]), { role: "compiled", ending: { kind: "died", signal: 11 } }],
  });
  assert.deepEqual(
    rows.map(({ missing }) => missing),
    [true, true, true],
  );
}

function only_what_was_measured_is_said() {
  const unmeasured = { elements: 1, max_abs: 0, max_rel: 0, eager_to_float64: 0, monte_carlo_runs: 4 };
  assert.deepEqual(measured(unmeasured), { elements: 1 });
  assert.deepEqual(measured({ elements: 2, max_abs: 0.5, eager_to_float64: 0, max_rel: null }), {
    elements: 2,
    max_abs: 0.5,
    eager_to_float64: 0,
  });
  const says = (mismatch, what) => verdictSays({ verdict: { kind: "diverge", differences: [{ mismatch, what }] } });
  assert.ok(says("value", "float").includes("rounding"));
  assert.ok(!says("value", "integer").includes("rounding"));
  assert.equal(says("raises", "exception"), "Compiled raises where eager does not.");
}

function what_eager_cannot_run_is_named_by_how_it_ends() {
  const ended = (kind, rule = "eager_fails") => ({
    verdict: { kind: "rejected", rule, reason: "" },
    outcomes: [{ role: "eager", ending: { kind } }],
  });
  const word = (result) => verdictWord({ state: "done", result }).word;
  assert.equal(word(ended("raised")), "eager fails");
  assert.equal(word(ended("died")), "eager crashes");
  assert.equal(word(ended("timed_out")), "eager hangs");
  assert.equal(word(ended("out_of_memory")), "too much memory");
  assert.equal(word({ verdict: ended("died").verdict }), "eager fails");
  assert.equal(word(ended("finished", "backend")), "not judged");
  assert.ok(verdictSays(ended("died")).includes("crashes"));
  assert.ok(!verdictSays(ended("finished", "incomparable")).includes("Eager"));
}

function events_come_in_pieces() {
  const text =
    'event: started\ndata: {"run":"a"}\n\nevent: progress\r\ndata: {"says":"x"}\r\n\r\n: comment\n\nevent: ended\ndata: {}\n\n';
  for (const size of [1, 2, 3, 5, 7, 1000]) {
    const parse = eventParser();
    const seen = [];
    for (const piece of text.match(new RegExp(`.{1,${size}}`, "gs"))) seen.push(...parse(piece));
    assert.deepEqual(
      seen,
      [
        { event: "started", data: { run: "a" } },
        { event: "progress", data: { says: "x" } },
        { event: "ended", data: {} },
      ],
      `in pieces of ${size}`,
    );
  }
}

function rates_have_no_spikes() {
  const series = Array.from({ length: 100 }, (_, i) => ({ second: 2 * i + 2, tests: 4 * i + 4 }));
  series.splice(50, 0, { second: series[49].second + 1e-6, tests: series[49].tests + 3 });
  const points = rates(series);
  assert.equal(points.at(-1)[0], 200);
  for (const [, rate] of points) assert.ok(rate > 1.9 && rate < 2.2, `${rate} tests per second`);
  assert.deepEqual(rates([{ second: 4, tests: 2 }]), [[4, 0.5]]);
}

function places_of_sites_are_said() {
  const statements = [
    { id: "s5", line: 5, end_line: 5 },
    { id: "s7", line: 9, end_line: 12 },
  ];
  const site = (path) => ({ mutation: "wrap", line: 5, path, apply: `wrap@s5${path && ":"}${path}` });
  const says = (path, rows = []) => extent(site(path), { rows, statements });
  assert.equal(says("s7"), "lines 5 to 12");
  assert.equal(says("0.1"), "at position 0.1 of the statement");
  assert.equal(says("empty"), "empty block");
  assert.equal(says("value"), "value");
  assert.equal(says(""), "");
  assert.equal(says("", [site("s7")]), "line 5 only");
}

function axes_are_round() {
  assert.deepEqual(ticks(7), [0, 2, 4, 6, 8]);
  assert.deepEqual(ticks(2, 4, 1), [0, 1, 2]);
  assert.deepEqual(ticks(0.9), [0, 0.5, 1]);
  assert.deepEqual(ticks(0), [0, 1]);
}

function heads_of_known_bugs_are_found() {
  const headOf = (text) => headWith(["link", "around", "gone", "state"], text);
  const head = "# What is wrong.\n# link: unreported\n# around: x = 1\n# gone: 2.13.0";
  assert.deepEqual(headOf(`${head}\nimport torch\n`), { from: 17, to: head.length });
  assert.equal(headOf("# What is wrong.\n# link: unreported\nimport torch\n"), null);
  assert.equal(headOf(`import torch\n${head}\n`), null);
  assert.equal(headOf(""), null);
}

for (const one of [
  a_lineage_is_one_line,
  moved_steps_keep_their_statements,
  what_names_a_removed_step_does_not_apply,
  steps_that_are_off_are_kept_in_files,
  diffs_give_both_texts_back,
  elements_are_read,
  distances_are_never_negative,
  places_are_compared,
  a_call_that_raised_decides_first,
  a_run_without_values_is_compared_with_nothing,
  only_what_was_measured_is_said,
  what_eager_cannot_run_is_named_by_how_it_ends,
  events_come_in_pieces,
  rates_have_no_spikes,
  places_of_sites_are_said,
  axes_are_round,
  heads_of_known_bugs_are_found,
]) {
  one();
  console.log(`${one.name}: passed`);
}
