// The plots that a campaign's series allows.

// Names of members, their titles and units, in the order of plots. Others that count something follow by their name.
const KNOWN = [
  ["tests", "Tests", "tests"],
  ["findings", "Findings", "signatures"],
  ["diverging", "Diverging", "tests"],
  ["buckets", "Coverage", "different states of the compiler's counters"],
  ["graph_breaks", "Graph breaks", "breaks"],
  ["recompiles", "Recompiles", "recompiles"],
];

// A rate is one over at least so much: two tests that end together are no spike. Chosen, not measured.
const WINDOW_SECONDS = 30;
const WINDOW_TESTS = 10;

const RATE_SAYS = `A rate is one over at least ${WINDOW_TESTS} tests: a plot appears soon after them.`;

/** At each point, tests per second over the window before it, which is the whole time at the beginning. */
export function rates(series) {
  const rows = [{ second: 0, tests: 0 }, ...series];
  const points = [];
  let from = 0;
  for (let i = 1; i < rows.length; i++) {
    const spans = (at) =>
      rows[i].second - rows[at].second >= WINDOW_SECONDS && rows[i].tests - rows[at].tests >= WINDOW_TESTS;
    while (from + 1 < i && spans(from + 1)) from++;
    const seconds = rows[i].second - rows[from].second;
    const tests = rows[i].tests - rows[from].tests;
    if (seconds > 0 && (tests >= WINDOW_TESTS || i === rows.length - 1)) points.push([rows[i].second, tests / seconds]);
  }
  return points;
}

/** [{title, unit, points, steps}]; what never happened has no plot. */
export function plotsOf(series) {
  if (series.length === 0) return [];
  const names = Object.keys(series.at(-1)).filter(
    (name) => name !== "second" && typeof series.at(-1)[name] === "number",
  );
  const titled = [
    ...KNOWN.filter(([name]) => names.includes(name)),
    ...names
      .filter((name) => !KNOWN.some(([known]) => known === name))
      .map((name) => [name, name.replaceAll("_", " "), ""]),
  ];
  const moving = titled.filter(([name]) => series.at(-1)[name] > 0);
  const plots = moving.map(([name, title, unit]) => ({
    title,
    unit,
    whole: true,
    steps: name === "findings",
    points: [[0, 0], ...series.map((row) => [row.second, row[name] ?? 0])],
  }));
  if (names.includes("tests"))
    plots.unshift({ title: "Rate", unit: "tests per second of runs", points: rates(series), says: RATE_SAYS });
  return plots;
}
