// What found what: a table for each of mutation, operator call, source, oracle and backend.
import { useState } from "preact/hooks";
import { Button, Panel, secondsText, Tabs } from "../ui/parts.jsx";

const TITLES = {
  mutation: "Mutations",
  pair: "Pairs of mutations",
  call: "Operators",
  source: "Sources",
  oracle: "Oracles",
  backend: "Backends",
};
const SHOWN = 20; // rows before "all"

// [member, title, how a value is said]
const COLUMNS = [
  ["tests", "tests"],
  ["diverging", "diverging"],
  ["findings", "findings"],
  ["alone", "found alone"],
  ["applied", "applied"],
  ["undone", "undone"],
  ["graph_breaks", "graph breaks"],
  ["recompiles", "recompiles"],
  ["seconds", "time", secondsText],
];

export function YieldTables({ statistics }) {
  const tabs = Object.keys(TITLES)
    .filter((id) => statistics[id])
    .map((id) => ({ id, title: TITLES[id] }));
  const [chosen, setChosen] = useState("mutation");
  const id = tabs.some((tab) => tab.id === chosen) ? chosen : tabs[0]?.id;
  return (
    <Panel
      title="Yield"
      says={tabs.length === 0 ? "Tables of what found what appear after the first epoch of tests." : ""}
    >
      {tabs.length > 0 && (
        <Tabs label="Yield by" tabs={tabs} chosen={id} onChoose={setChosen}>
          <YieldTable key={id} rows={statistics[id]} />
        </Tabs>
      )}
    </Panel>
  );
}

function YieldTable({ rows }) {
  const [by, setBy] = useState("findings");
  const [all, setAll] = useState(false);
  const columns = COLUMNS.filter(([member]) => rows.some((row) => row[member] !== undefined));
  const sorted = [...rows].sort(
    (one, other) => (other[by] ?? 0) - (one[by] ?? 0) || (other.tests ?? 0) - (one.tests ?? 0),
  );
  const shown = all ? sorted : sorted.slice(0, SHOWN);
  if (rows.length === 0) return <p class="empty">Nothing was counted here yet.</p>;
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="Table of yield">
        <table class="table">
          <thead>
            <tr>
              <th>name</th>
              {columns.map(([member, title]) => (
                <th key={member} class="right" aria-sort={member === by ? "descending" : "none"}>
                  <button type="button" class="sort" onClick={() => setBy(member)}>
                    {title}
                    {member === by ? " ↓" : ""}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.name}>
                <td>
                  <code>{row.name || "(all)"}</code>
                </td>
                {columns.map(([member, , say]) => (
                  <td key={member} class="right">
                    {say ? say(row[member] ?? 0) : (row[member] ?? 0).toLocaleString("en")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.length < sorted.length && (
        <Button kind="quiet small" onClick={() => setAll(true)}>
          All {sorted.length} rows
        </Button>
      )}
    </>
  );
}
