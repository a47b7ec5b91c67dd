// The list of findings.
import { useState } from "preact/hooks";
import { backendTitle } from "../run/words.js";
import { Panel, plural, Tag } from "../ui/parts.jsx";

const STATUS = { confirmed: "diverge", flaky: "warn", candidate: "" };

/** A known bug, or put aside by a person: the server counts it as "known". */
const isAside = (row) => Boolean(row.label) || row.status === "known";

const matches = (row, words) =>
  words.every((word) =>
    `${row.id} ${row.title} ${row.kind} ${row.backend} ${row.component} ${row.effect} ${row.label}`
      .toLowerCase()
      .includes(word),
  );

export function FindingsTable({ findings, opening, onFinding }) {
  const [text, setText] = useState("");
  const [all, setAll] = useState(false);
  const aside = findings.filter(isAside).length;
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = findings.filter((row) => (all || !isAside(row)) && matches(row, words));
  const sized = findings.some((row) => row.size != null);
  const tools = findings.length > 0 && (
    <>
      <input
        type="search"
        aria-label="Filter findings"
        placeholder="Filter"
        value={text}
        onInput={(event) => setText(event.target.value)}
      />
      {aside > 0 && (
        <label class="with-known">
          <input type="checkbox" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
          {aside.toLocaleString("en")} known or put aside
        </label>
      )}
      <span class="soft">{plural(shown.length, "finding")}</span>
    </>
  );
  return (
    <Panel
      title="Findings"
      tools={tools}
      says={
        findings.length === 0
          ? "Nothing was found yet. A finding is a difference that showed again in fresh processes."
          : ""
      }
    >
      {findings.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Findings">
          <table class="table findings">
            <thead>
              <tr>
                <th>finding</th>
                <th>severity</th>
                <th>backend</th>
                <th class="right">seen</th>
                {sized && <th class="right">size</th>}
                <th>status</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row key={row.id} row={row} sized={sized} busy={opening === row.id} onFinding={onFinding} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function Row({ row, sized, busy, onFinding }) {
  return (
    <tr>
      <td>
        <div class="finding-title">
          <button type="button" class="link" onClick={() => onFinding(row.id)}>
            {row.title || row.reason || row.id}
          </button>
          <span class="soft code">
            {row.id}
            {busy ? " · opening …" : ""}
          </span>
        </div>
      </td>
      <td>
        <strong>{row.effect || row.kind}</strong>
        <br />
        <span class="soft">{row.kind}</span>
      </td>
      <td>
        {backendTitle(row.backend)}
        {row.component !== row.backend && (
          <>
            <br />
            <span class="soft">{row.component}</span>
          </>
        )}
      </td>
      <td class="right">{row.sightings}×</td>
      {sized && <td class="right">{row.size == null ? "–" : plural(row.size, "line")}</td>}
      <td>
        <Tag kind={STATUS[row.status] ?? ""}>{row.status}</Tag>
        {row.label && <Tag title={row.note}>{row.label}</Tag>}
      </td>
    </tr>
  );
}
