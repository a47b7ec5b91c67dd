// Answers of the mock server, small and made by hand.

export const EXAMPLE = `import torch


def program(x, y):
    total = x * 2
    mean = total.mean()
    if mean > 0:
        total = total + y
    return torch.relu(total), mean


def make_inputs():
    g = torch.Generator().manual_seed(3)
    return torch.randn(2, 3, generator=g), torch.ones(2, 3)
`;

const MUTATIONS = [
  [
    "true_block",
    "D",
    "bitwise",
    "Puts a statement under a condition that a run showed to be true, so the compiler meets a branch that changes nothing.",
  ],
  [
    "wrap_try",
    "C",
    "bitwise",
    "Puts statements into a try block whose handler never runs, so the compiler must keep track of exceptions.",
  ],
  [
    "break_graph",
    "C",
    "bitwise",
    "Inserts a call that the compiler cannot capture, so it has to leave its graph and come back.",
  ],
  [
    "alias_read",
    "B",
    "bitwise",
    "Reads a tensor through a view of it, so the compiler must know that both share memory.",
  ],
  ["retype_input", "E", "variation", "Gives an input another dtype."],
  ["one_factor", "D", "rounding", "Multiplies by a factor that is one for these inputs."],
];

const BACKENDS = [
  ["eager", "Dynamo captures graphs and runs them as they are"],
  ["aot_eager", "AOTAutograd too: functional graphs and gradients"],
  ["aot_eager_decomp_partition", "decompositions and partitioning too"],
  ["inductor", "Inductor generates C++ too"],
];

export const start = (opened, campaign) => ({
  version: "0.1.0",
  torch: "2.13.0+cpu",
  python: "3.11.7",
  backends: BACKENDS.map(([name, says]) => ({ name, says })),
  mutations: MUTATIONS.map(([id, section, exactness, says]) => ({
    id,
    section,
    exactness,
    says,
    aims: says.replace(/\.$/, ""),
    needs_facts: true,
    source: "jitprobe",
  })),
  examples: [
    {
      name: "multi_margin_loss_of_a_scalar",
      kind: "trophy",
      says: "AOTAutograd gives a loss another shape than eager",
    },
    { name: "gru", kind: "model", says: "A gated recurrent unit, forwards and backwards" },
    { name: "small", kind: "program", says: "Two tensors, a branch on a value" },
  ],
  opened,
  campaign,
});

export function sitesOf(source) {
  const sites = [];
  source.split("\n").forEach((text, i) => {
    if (!/^ {4,}(?!g =|return torch.randn)\S/.test(text)) return;
    for (const [mutation, section, exactness] of MUTATIONS) {
      if (section === "E" && i > 4) continue;
      sites.push({
        apply: `${mutation}@s${i + 1}`,
        exactness,
        example: exampleOf(mutation, text.trim()),
        line: i + 1,
        mutation,
        path: "",
        statement: `s${i + 1}`,
      });
    }
  });
  return sites;
}

function exampleOf(mutation, text) {
  return (
    {
      true_block: "if x.shape[0] > 0:",
      wrap_try: "try:",
      break_graph: "torch._dynamo.graph_break()",
      alias_read: "a0 = x.view(2, 3)",
    }[mutation] ?? text
  );
}

/** The program after a step: {source} or {error}. */
export function applied(source, text, number) {
  const [, mutation, line] = /^(\w+)@[sm](\d+)/.exec(text) ?? [];
  const lines = source.split("\n");
  const at = Number(line) - 1;
  if (!(at >= 0 && at < lines.length)) return { error: `the program has no statement s${line}` };
  const indent = /^ */.exec(lines[at])[0];
  if (mutation === "true_block") lines.splice(at, 1, `${indent}if x.shape[0] > 0:`, `    ${lines[at]}`);
  else if (mutation === "wrap_try")
    lines.splice(at, 1, `${indent}try:`, `    ${lines[at]}`, `${indent}finally:`, `${indent}    pass`);
  else if (mutation === "break_graph") lines.splice(at, 0, `${indent}torch._dynamo.graph_break()`);
  else lines.splice(at, 0, `${indent}m${number} = x.view(2, 3)`);
  return { source: lines.join("\n") };
}

const bytes = (numbers) => ({ base64: Buffer.from(Float32Array.from(numbers).buffer).toString("base64") });
const tensor = (numbers, shape) => ({
  dtype: "float32",
  device: "cpu",
  layout: "strided",
  shape,
  strides: [],
  identity: 1,
  storage: 1,
  version: 0,
  bytes: bytes(numbers),
});
const observed = (numbers) => ({
  calls: [
    {
      output: {
        kind: "sequence",
        type: "tuple",
        items: [
          { kind: "tensor", type: "torch.Tensor", index: 0 },
          { kind: "tensor", type: "torch.Tensor", index: 1 },
        ],
      },
      inputs: { kind: "sequence", type: "tuple", items: [{ kind: "tensor", type: "torch.Tensor", index: 2 }] },
      state: { kind: "mapping", type: "dict", labels: ["counter"], items: [{ kind: "int", type: "int", text: "3" }] },
    },
  ],
  tensors: [tensor(numbers, [2, 3]), tensor([0.25], []), tensor([1, 2, 3, 4, 5, 6], [2, 3])],
});

export function runResult(backend, diverges) {
  const plain = [0.1, 0.2, 0, 1.5, 2.25, 3];
  const compiled = diverges ? [0.1, 0.2, 0, 1.5, 2.75, 3] : [0.1, 0.2, 0, 1.5, 2.2500002, 3];
  const outcomes = [
    { role: "eager", seconds: 0.004, ending: { kind: "finished", observation: observed(plain) } },
    { role: "compiled", seconds: 1.836, ending: { kind: "finished", observation: observed(compiled) } },
  ];
  const numbers = {
    elements: 1,
    differing: 1,
    max_abs: 0.5,
    max_rel: 0.2222,
    eager_to_float64: 0,
    compiled_to_float64: 0.5,
    monte_carlo_runs: 12,
    monte_carlo_spread: 7.15e-7,
  };
  const verdict = diverges
    ? {
        kind: "diverge",
        rule: "monte_carlo",
        reference: "eager",
        under_test: "compiled",
        reason:
          "output[0]: 1 of 6 elements of float32[2, 3] differ by up to 0.5 (relative 0.222); from the float64 run eager is 0 away, compiled 0.5; 12 runs with moved roundings move it by 7.15e-07",
        differences: [
          {
            mismatch: "value",
            call: 0,
            where: "output[0]",
            reference: "2.25",
            observed: "2.75",
            what: "float",
            numbers,
          },
        ],
        decisions: [{ rule: "monte_carlo", call: 0, where: "output[0]", answer: "wrong", numbers }],
      }
    : { kind: "agree", rule: "tolerance", reason: "output[0]: 1 of 6 elements differ by rounding" };
  return {
    backend,
    outcomes,
    plan: { oracle: "eager_vs_compiled", runs: [] },
    verdict,
    differences: verdict.differences ?? [],
    ...(diverges ? { signature: { id: "15ffd94c6e181e11", kind: "value", version: 6, backend } } : {}),
  };
}

const NODES = [
  ["l_x_", "placeholder", "L_x_", [], 4, ""],
  ["l_y_", "placeholder", "L_y_", [], 4, ""],
  ["total", "call_function", "operator.mul", ["l_x_"], 5, "l_x_, 2"],
  ["mean", "call_method", "mean", ["total"], 6, "total, dim=-1"],
  ["total_1", "call_function", "operator.add", ["total", "l_y_"], 8, "total, l_y_"],
  ["relu", "call_function", "torch.relu", ["total_1"], 9, "total_1"],
  ["output", "output", "output", ["relu", "mean"], 9, "(relu, mean)"],
];
// Forty layers, each with a weight: as the graph of a model.
const LAYERS = Array.from({ length: 40 }, (_, i) => [
  { name: `weight_${i}`, op: "placeholder", target: `weight_${i}`, args: [], line: 4, arguments: "" },
  {
    name: `linear_${i}`,
    op: "call_function",
    target: "torch.nn.functional.linear",
    args: [...(i ? [`linear_${i - 1}`] : []), `weight_${i}`],
    line: 5,
    arguments: `${i ? `linear_${i - 1}` : "3.0"}, weight_${i}, None`,
  },
]).flat();
const AOT = `class GraphModule(torch.nn.Module):
    def forward(self, arg0_1: "f32[2, 3]", arg1_1: "f32[2, 3]"):
        mul: "f32[2, 3]" = torch.ops.aten.mul.Tensor(arg0_1, 2);  arg0_1 = None
        mean: "f32[]" = torch.ops.aten.mean.default(mul)
        add: "f32[2, 3]" = torch.ops.aten.add.Tensor(mul, arg1_1);  mul = arg1_1 = None
        relu: "f32[2, 3]" = torch.ops.aten.relu.default(add);  add = None
        return (relu, mean)`;

export function compileReport(backend, source) {
  const lines = source.split("\n");
  const at = lines.findIndex((text) => text.includes("graph_break()")) + 1;
  const branch = lines.findIndex((text) => text.includes("if mean > 0")) + 1;
  const code =
    backend === "inductor"
      ? `cpp_fused_add_mul_relu_0 = async_compile.cpp_pybinding(['const float*', 'float*'], '''\nextern "C" void kernel(const float* in_ptr0, float* out_ptr0)\n{\n    for (int64_t x0 = 0; x0 < 6; x0 += ${lines.length})\n    {\n        auto tmp0 = in_ptr0[x0];\n        out_ptr0[x0] = std::max(tmp0 * 2.0f, 0.0f);\n    }\n}\n''')\n`
      : "";
  return {
    graphs: [
      {
        id: 0,
        frame: "program",
        line: 4,
        fx: "def forward(self, L_x_, L_y_):\n    l_x_ = L_x_\n    l_y_ = L_y_\n    total = l_x_ * 2\n    mean = total.mean()\n    total_1 = total + l_y_\n    relu = torch.relu(total_1)\n    return (relu, mean)",
        nodes: NODES.map(([name, op, target, args, line, written]) => ({ name, op, target, args, line, arguments: written })),
        aot_forward: backend === "eager" ? "" : AOT,
        aot_backward: "",
        code,
        guards: [
          { text: "check_tensor(L['x'], Tensor, float32, size=[2, 3], stride=[3, 1])", line: 4 },
          { text: "check_tensor(L['y'], Tensor, float32, size=[2, 3], stride=[3, 1])", line: 4 },
        ],
        recompiled_because: "",
      },
      {
        id: 1,
        frame: "layers",
        line: 4,
        fx: "",
        nodes: LAYERS,
        aot_forward: "",
        aot_backward: "",
        code: "",
        guards: [],
        recompiled_because: "",
      },
    ],
    breaks: [
      ...(branch
        ? [
            {
              reason: "Data-dependent branching",
              line: branch,
              says: "The branch depends on a tensor's value, which is known only when the program runs.",
            },
          ]
        : []),
      ...(at ? [{ reason: "Call to `torch._dynamo.graph_break()`", line: at, says: "The program asked for it." }] : []),
    ],
    recompiles: [{ call: 1, reason: "L['x'].size()[0] == 2", line: 4 }],
    counters_before: { stats: { calls_captured: 0, unique_graphs: 0 } },
    counters: {
      stats: { calls_captured: 7, unique_graphs: 2 },
      graph_break: { "Data-dependent branching": 1 },
      inductor: { pattern_matcher_count: 3, pattern_matcher_nodes: 6 },
      totals: { graphs: 2, graph_breaks: 1, guards: 2, recompiles: 1, fx_nodes: 9 },
    },
    calls: [
      { call: 0, graphs_before: 0, graphs_after: 2, seconds: 1.8 },
      { call: 1, graphs_before: 2, graphs_after: 2, seconds: 0.0004 },
    ],
    error: "",
    missing: ["the time of each pass"],
  };
}

const rowOf = (name, tests, findings) => ({
  name,
  tests,
  diverging: findings * 2,
  findings,
  alone: findings,
  graph_breaks: tests >> 2,
  recompiles: tests >> 4,
  seconds: tests * 0.11,
  tried: tests,
  applied: tests - 3,
  undone: 1,
});

export function campaignAt(seconds, running) {
  const series = [];
  for (let s = 0; s <= seconds; s += Math.max(1, seconds / 60))
    series.push({
      second: s,
      tests: Math.round(s * 8.5 + 20 * Math.sin(s / 40)),
      findings: Math.floor(s / 110),
      diverging: Math.floor(s / 21),
      buckets: Math.round(900 * (1 - Math.exp(-s / 200))),
      graph_breaks: Math.round(s * 2.1),
      recompiles: Math.round(s / 3),
    });
  const last = series.at(-1);
  return {
    name: "campaigns/night",
    running,
    summary: {
      tests: last.tests,
      under_way: 2,
      confirmed: 1,
      flaky: 0,
      candidate: 0,
      known: 1,
      verdicts: { agree: last.tests - 60, rejected: 31, vacuous: 12, unstable: 3, diverge: 14 },
    },
    findings: [
      {
        id: "15ffd94c6e181e11",
        kind: "state_after",
        backend: "aot_eager",
        component: "aot_autograd",
        effect: "wrong values",
        status: "confirmed",
        reproduced: 5,
        attempts: 5,
        sightings: 12,
        label: "",
        title: "[aot_autograd] argument is wrong afterwards: torch.nn.functional.multilabel_margin_loss",
        size: 9,
      },
      {
        id: "9505e4ebacdbd995",
        kind: "shape",
        backend: "inductor",
        component: "inductor",
        effect: "wrong shape",
        status: "confirmed",
        reproduced: 5,
        attempts: 5,
        sightings: 1,
        label: "known",
        note: "multi_margin_loss",
        title: "[inductor] shape differs: multi_margin_loss",
        size: 7,
      },
    ],
    statistics: {
      mutation: MUTATIONS.map(([id], i) => rowOf(id, 400 - 50 * i, i % 3)),
      call: [rowOf("relu", 220, 1), rowOf("mean", 180, 0)],
      source: [rowOf("generated", 800, 2)],
      oracle: [rowOf("eager_vs_compiled", 700, 2)],
      backend: BACKENDS.map(([name], i) => rowOf(name, 300 - 60 * i, i % 2)),
      pair: [],
    },
    series,
  };
}

export function finding(id) {
  const reduced =
    "import torch\n\n\ndef program(x, y):\n    return torch.relu(x * 2 + y)\n\n\ndef make_inputs():\n    return torch.ones(2, 3), torch.ones(2, 3)\n";
  return {
    ...runResult("inductor", true),
    id,
    status: "confirmed",
    attempts: 5,
    reproduced: 5,
    label: { label: "", note: "" },
    trials: [],
    title: "[inductor] wrong values: relu",
    program: { source: EXAMPLE, entry: "program", inputs: "make_inputs" },
    reduced: { source: reduced, entry: "program", inputs: "make_inputs" },
    steps: ["true_block@s5=1,'x > 0'", "", "alias_read@s6=2"],
    reductions: [
      { step: "found", passes: [], says: "As it was found.", source: EXAMPLE },
      {
        step: "reduction",
        passes: ["drop_statements"],
        says: "Removes statements without which the fault still shows.",
        source: EXAMPLE.replace("    mean = total.mean()\n", ""),
      },
      { step: "values", passes: [], says: "Its values are written out.", source: reduced },
    ],
  };
}
