// Graphs without a browser: read from text, laid out, searched.
import assert from "node:assert/strict";
import { constantsOf } from "../../../explore/page/src/graph/constants.js";
import { layout } from "../../../explore/page/src/graph/layout.js";
import { nodesOfText } from "../../../explore/page/src/graph/parse.js";
import { found, readableScale, wholeScale, withoutInputs } from "../../../explore/page/src/graph/view.js";
import { numbers } from "./numbers.mjs";

const AOT = `class <lambda>(torch.nn.Module):
    def forward(
        self,
        arg0_1: "f32[2, 3][3, 1]cpu",  # PlainAOTInput(idx=0)
        arg1_1: "f32[]",
    ):
        # File: program.py:5 in program, code: total = x * 2
        mul: "f32[2, 3][3, 1]cpu" = torch.ops.aten.mul.Tensor(arg0_1, 2);  arg0_1 = None
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(mul, arg1_1);  mul = arg1_1 = None
        return (
            add,  # PlainAOTOutput(idx=0)
        )`;

function graphs_are_read_from_text() {
  const nodes = nodesOfText(AOT);
  assert.deepEqual(
    nodes.map(({ name, args }) => [name, args]),
    [
      ["arg0_1", []],
      ["arg1_1", []],
      ["mul", ["arg0_1"]],
      ["add", ["mul", "arg1_1"]],
      ["output", ["add"]],
    ],
  );
  assert.deepEqual(
    nodes.map(({ line }) => line),
    [0, 0, 5, 5, 0],
  );
  assert.deepEqual(nodes.map((node) => constantsOf(node)), [[], [], ["2"], [], []]);
  // A part of a tuple is a call, too.
  const [, part] = nodesOfText('    pair: "f32[2]" = torch.ops.aten.max.dim(x, 0)\n    getitem: "f32[2]" = pair[1];  pair = None');
  assert.deepEqual([part.op, part.target, part.args, constantsOf(part)], ["call_function", "getitem", ["pair"], ["1"]]);
  const table =
    "graph():\n    %x : [num_users=1] = placeholder[target=x]\n    %relu : [num_users=1] = call_function[target=torch.relu](args = (%x,), kwargs = {})\n    return relu";
  assert.deepEqual(
    nodesOfText(table).map(({ name, target, args }) => [name, target, args]),
    [
      ["x", "x", []],
      ["relu", "torch.relu", ["x"]],
      ["output", "output", ["relu"]],
    ],
  );
}

function constants_stand_in_the_boxes() {
  const node = (args, text, op = "call_function") => ({ name: "n", op, target: "torch.add", args, arguments: text });
  const constants = (...words) => constantsOf(node(...words));
  assert.deepEqual(constants(["x"], "x, 1"), ["1"]);
  assert.deepEqual(constants(["x", "y"], "x, y"), []);
  assert.deepEqual(constants(["x", "y"], "[x, y], dim=-1"), ["dim=-1"]);
  assert.deepEqual(constants(["x", "w"], "x, w, None, (1, 1), mode='a,b'"), ["None", "(1, 1)", "mode='a,b'"]);
  assert.deepEqual(constants(["x"], "x, (slice(None, None, None), 0)"), ["(slice(None, None, None), 0)"]);
  assert.deepEqual(constants(["x"], "(x, 3)", "output"), []);
  const drawn = layout([{ ...node([], "", "placeholder"), name: "x" }, { ...node(["x"], "x, 1"), name: "add" }]);
  const [input, add] = drawn.boxes;
  assert.deepEqual([input.constants, add.label, add.constants], ["", "add", "1"]);
  assert.ok(add.height > input.height && drawn.height >= add.y + add.height);
  const table =
    "    %x : [num_users=1] = placeholder[target=x]\n    %add : [num_users=1] = call_function[target=operator.add](args = (%x, 1), kwargs = {alpha: 2})";
  assert.deepEqual(nodesOfText(table).map((one) => constantsOf(one)), [[], ["1", "alpha=2"]]);
}

function chains_stay_straight() {
  // Residual blocks: each adds what it was given to what two calls make of it.
  const nodes = [{ name: "n0", op: "call_function", target: "torch.relu", args: [] }];
  for (let block = 0; block < 8; block++) {
    const before = nodes.at(-1).name;
    for (const [name, args] of [["a", [before]], ["b", [`a${block}`]], ["add", [`b${block}`, before]]])
      nodes.push({ name: `${name}${block}`, op: "call_function", target: `torch.${name}`, args });
  }
  const middles = layout(nodes).boxes.map((box) => box.x + box.width / 2);
  assert.ok(Math.max(...middles) - Math.min(...middles) < 100, `the chain goes over ${middles.map(Math.round)}`);
  const simple = layout([
    { name: "x", op: "placeholder", target: "x", args: [] },
    { name: "lt", op: "call_function", target: "operator.lt", args: ["x"], arguments: "x, 1.75" },
    { name: "output", op: "output", target: "output", args: ["lt"] },
  ]).boxes;
  assert.deepEqual(new Set(simple.map((box) => Math.round(box.x + box.width / 2))).size, 1);
}

function graphs_begin_at_a_readable_size() {
  assert.equal(readableScale(300, 500), 1);
  assert.equal(readableScale(600, 500), 500 / 600);
  assert.equal(readableScale(5000, 500), 1);
  assert.equal(wholeScale(1000, 5000, 500, 500), 0.1);
  assert.equal(wholeScale(100, 100, 500, 500), 1);
  const nodes = nodesOfText(AOT);
  assert.deepEqual(withoutInputs(nodes).map(({ name }) => name), ["mul", "add", "output"]);
  assert.deepEqual(found(nodes, "ADD arg1"), ["add"]);
  assert.deepEqual(found(nodes, "  "), []);
}

function boxes_never_overlap() {
  const draw = numbers(11);
  const nodes = Array.from({ length: 120 }, (_, i) => ({
    name: `n${i}`,
    op: i < 5 ? "placeholder" : "call_function",
    target: `torch.op${i}`,
    args: i < 5 ? [] : Array.from({ length: 1 + (draw.next().value % 3) }, () => `n${draw.next().value % i}`),
  }));
  const { boxes, edges, width, height } = layout(nodes);
  assert.equal(boxes.length, 120);
  for (const edge of edges) assert.ok(edge.from.y < edge.to.y, "an edge goes up");
  for (const one of boxes) {
    assert.ok(one.x >= 0 && one.x + one.width <= width + 1 && one.y + one.height <= height + 1, "a box is outside");
    for (const other of boxes)
      if (one !== other && one.y === other.y)
        assert.ok(one.x + one.width <= other.x || other.x + other.width <= one.x, "boxes overlap");
  }
}

for (const one of [
  graphs_are_read_from_text,
  constants_stand_in_the_boxes,
  chains_stay_straight,
  graphs_begin_at_a_readable_size,
  boxes_never_overlap,
]) {
  one();
  console.log(`${one.name}: passed`);
}
