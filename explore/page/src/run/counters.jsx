// The compiler's counters before and after the run, as bars.
export function CountersView({ report }) {
  const groups = rowsOf(report);
  if (groups.length === 0)
    return <p class="empty">No counter moved: the compiler reported no work for this run.</p>;
  return (
    <>
      <p class="soft">
        How often the compiler did what, before (grey) and after (coloured) the run, as torch counts; bars are scaled
        within a group. “totals” are sums of several counters.
      </p>
      {groups.map(({ group, rows }) => (
        <section key={group} class="counter-group">
          <h3>{group.replaceAll("_", " ")}</h3>
          {SAYS[group] && <p class="soft">{SAYS[group]}</p>}
          <table class="table counters">
            <thead class="hidden">
              <tr>
                <th>counter</th>
                <th>chart</th>
                <th>before and after</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, before, after }) => {
                const most = Math.max(...rows.map((row) => Math.max(row.before, row.after)), 1);
                return (
                  <tr key={name}>
                    <th scope="row">
                      <span class="wrap">{name.split(/(?<=_)/).map((part) => [part, <wbr />])}</span>
                    </th>
                    <td class="bars">
                      <Bars before={before} after={after} most={most} />
                    </td>
                    <td class="right number">
                      {before} → {after}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      ))}
      <Tabs report={report} />
    </>
  );
}

/** What other tabs list, and how much of it torch's counters have: told together, with the reason where they differ. */
function Tabs({ report }) {
  const rows = TABS.map((tab) => ({ ...tab, listed: tab.listed(report), counted: grown(report, "totals", tab.total) }));
  return (
    <section class="counter-group">
      <h3>What the other tabs list</h3>
      <div class="scroll" tabIndex={0} role="group" aria-label="What the other tabs list">
        <table class="table">
          <thead>
            <tr>
              <th>what</th>
              <th class="right">listed</th>
              <th class="right">counted</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ what, listed, counted, why }) => (
              <tr key={what}>
                <td>
                  {what}
                  {listed !== counted && <p class="soft">{why}</p>}
                </td>
                <td class="right">{listed}</td>
                <td class="right">{counted}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Bars({ before, after, most }) {
  const width = (value) => `${(100 * value) / most}%`;
  return (
    <svg width="100%" height="14" role="img" aria-label={`${before} before, ${after} after`}>
      <rect class="bar-before" x="0" y="1" height="5" rx="1" width={width(before)} />
      <rect class="bar-after" x="0" y="8" height="5" rx="1" width={width(after)} />
    </svg>
  );
}

const grown = ({ counters, counters_before: before }, group, name) =>
  (counters?.[group]?.[name] ?? 0) - (before?.[group]?.[name] ?? 0);

// The tabs are read from torch's trace. `total` is the counter of the same thing, `others` are further names of it.
const TABS = [
  {
    what: "graphs",
    total: "graphs",
    listed: ({ graphs = [] }) => graphs.length,
    why: "The trace tells of a graph that torch does not count, or the other way round.",
    others: [["stats", "unique_graphs"]],
  },
  {
    what: "graph breaks",
    total: "graph_breaks",
    listed: ({ breaks = [] }) => breaks.length,
    why: "Torch traces breaks that it does not count; equal ones are listed once.",
    others: [["graph_break"]],
  },
  {
    what: "guards",
    total: "guards",
    listed: ({ graphs = [] }) => graphs.reduce((sum, graph) => sum + (graph.guards?.length ?? 0), 0),
    why: "One guard that torch counts may be several conditions in the list, which has those installed last.",
    others: [],
  },
  {
    what: "recompiles",
    total: "recompiles",
    listed: ({ recompiles = [] }) => recompiles.length,
    why: "Equal ones are listed once.",
    others: [],
  },
];

const SAYS = {
  unimplemented: "What torch met and could not trace, once for each attempt: it traces a function again after a break.",
};

// What a tab lists is in the table below, and no chart.
const isOfTab = (group, name) =>
  TABS.some(
    ({ total, others }) =>
      (group === "totals" && name === total) ||
      others.some(([other, only]) => other === group && (only === undefined || only === name)),
  );

function rowsOf({ counters = {}, counters_before: earlier = {} }) {
  return Object.keys({ ...earlier, ...counters })
    .sort()
    .map((group) => {
      const names = Object.keys({ ...earlier[group], ...counters[group] })
        .filter((name) => !isOfTab(group, name))
        .sort();
      const rows = names.map((name) => ({
        name,
        before: earlier[group]?.[name] ?? 0,
        after: counters[group]?.[name] ?? 0,
      }));
      return { group, rows: rows.filter((row) => row.before || row.after) };
    })
    .filter(({ rows }) => rows.length > 0);
}
