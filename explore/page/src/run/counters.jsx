// The compiler's counters before and after the run, as bars.
export function CountersView({ report }) {
  const groups = rowsOf(report);
  if (groups.length === 0) return <p class="empty">No counter moved: the compiler reported no work for this run.</p>;
  return (
    <>
      <p class="soft">
        How often the compiler did what, before (grey) and after (coloured) the run; bars are scaled within a group.
        These are torch's own counters, apart from the sums in “totals”. They count what the watched process compiled
        since their last reset; the other tabs are read from torch's trace. So the numbers may differ: torch does not
        count every graph break that its trace tells of, equal breaks are listed once, and of a graph's guards those are
        listed that were installed last.
      </p>
      {groups.map(({ group, rows }) => (
        <section key={group} class="counter-group">
          <h3>{group.replaceAll("_", " ")}</h3>
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
                      <span class="wrap">{name}</span>
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
    </>
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

function rowsOf({ counters = {}, counters_before: earlier = {} }) {
  return Object.keys({ ...earlier, ...counters })
    .sort()
    .map((group) => {
      const names = Object.keys({ ...earlier[group], ...counters[group] }).sort();
      const rows = names.map((name) => ({
        name,
        before: earlier[group]?.[name] ?? 0,
        after: counters[group]?.[name] ?? 0,
      }));
      return { group, rows: rows.filter((row) => row.before || row.after) };
    })
    .filter(({ rows }) => rows.length > 0);
}
