// The plots that a campaign's series allows.

// Names of members, their titles and units, in the order of plots. Others that count something follow by their name.
const KNOWN = [
  ["tests", "Tests", "tests"],
  ["findings", "Findings", "signatures"],
  ["diverging", "Diverging", "tests"],
  ["buckets", "Coverage", "counter states"],
  ["graph_breaks", "Graph breaks", "breaks"],
  ["recompiles", "Recompiles", "recompiles"],
];

function rates(series) {
  const points = [];
  for (let i = 1; i < series.length; i++) {
    const seconds = series[i].second - series[i - 1].second;
    if (seconds > 0) points.push([series[i].second, Math.max(0, (series[i].tests - series[i - 1].tests) / seconds)]);
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
    plots.unshift({ title: "Rate", unit: "tests per second of runs", points: rates(series) });
  return plots;
}
