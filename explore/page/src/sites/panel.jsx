// The list of all sites, with its filter.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { lookForSites, session, stopSites } from "../state/session.js";
import { useStore } from "../state/store.js";
import { Button, Panel, plural, Select } from "../ui/parts.jsx";
import { About, ExactnessTag, useMutations } from "./about.jsx";
import { EXACTNESS, filtered, grouped, NO_FILTER, SECTIONS } from "./filter.js";
import { SiteRow } from "./site.jsx";

const SHOWN = 8; // sites of one mutation before "more"

/** `edited`: what is typed into the editor is not taken over yet, so that no site is one of it. */
export function SitesPanel({ edited }) {
  const sites = useStore(session, (value) => value.sites);
  const line = useStore(session, (value) => value.line);
  const mutations = useMutations();
  const [filter, setFilter] = useState(NO_FILTER);
  const rows = useMemo(
    () => filtered(sites.rows, mutations, { ...filter, line }),
    [sites.rows, mutations, filter, line],
  );
  const groups = useMemo(() => grouped(rows), [rows]);
  return (
    <Panel
      title="Mutations"
      class="sites"
      says={emptySentence(sites, rows)}
      tools={
        <>
          <span class="soft" role="status">
            {sites.asking ? "looking for sites …" : plural(rows.length, "site")}
          </span>
          {sites.asking && (
            <Button kind="quiet small" label="Stop looking for sites" onClick={stopSites}>
              Stop
            </Button>
          )}
          {sites.stopped && (
            <Button kind="small" onClick={lookForSites}>
              Look for sites
            </Button>
          )}
        </>
      }
    >
      <SiteFilter filter={filter} line={line} onChange={setFilter} />
      <div class={`groups ${sites.asking || edited ? "waiting" : ""}`} inert={edited}>
        {groups.map((group) => (
          <Group key={group.mutation} {...group} open={groups.length <= 3 || line > 0} />
        ))}
      </div>
    </Panel>
  );
}

function emptySentence(sites, rows) {
  if (sites.error) {
    const why = sites.unread
      ? "Mutations apply to a program without syntax errors only."
      : "Where mutations apply is known only after such a run.";
    return `${sites.error[0].toUpperCase()}${sites.error.slice(1)}. ${why}`;
  }
  if (sites.stopped) return "You stopped the run that tells where mutations apply.";
  if (sites.asking && sites.rows.length === 0)
    return "Running the program once in eager, to learn where each mutation applies.";
  if (sites.rows.length === 0)
    return "No mutation applies to this program yet. Sites appear here and beside the lines.";
  return rows.length === 0 ? "No site passes this filter." : "";
}

function SiteFilter({ filter, line, onChange }) {
  const input = useRef(null);
  useEffect(() => {
    const focus = (event) => {
      if (event.key !== "/" || event.target.closest("input, textarea, select, [contenteditable=true], dialog")) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  const put = (members) => onChange({ ...filter, ...members });
  return (
    <div class="filter" role="search" aria-label="Filter of mutations">
      <input
        ref={input}
        type="search"
        aria-label="Text in name, sentence or example"
        placeholder="Filter   /"
        value={filter.text}
        onInput={(event) => put({ text: event.target.value })}
      />
      <Select
        label="Section"
        value={filter.section}
        onChange={(section) => put({ section })}
        options={[["", "All sections"], ...SECTIONS.map(([id, title]) => [id, `${id}  ${title}`])]}
      />
      <Select
        label="Exactness"
        value={filter.exactness}
        onChange={(exactness) => put({ exactness })}
        options={[["", "Any exactness"], ...Object.keys(EXACTNESS).map((name) => [name, name])]}
      />
      <label class="line-filter">
        line
        <input
          type="number"
          min="0"
          aria-label="Line, 0 for all"
          value={line || ""}
          placeholder="all"
          onInput={(event) => session.set({ line: Number(event.target.value) || 0 })}
        />
      </label>
    </div>
  );
}

function Group({ mutation, rows, open: openAtFirst }) {
  const [open, setOpen] = useState(null);
  const [all, setAll] = useState(false);
  const isOpen = open ?? openAtFirst;
  const shown = all ? rows : rows.slice(0, SHOWN);
  return (
    <details
      class="group"
      open={isOpen}
      onToggle={(event) => event.currentTarget.open !== isOpen && setOpen(event.currentTarget.open)}
    >
      <summary>
        <span class="name">{mutation}</span>
        <ExactnessTag exactness={rows[0].exactness} />
        <span class="soft count">{plural(rows.length, "site")}</span>
      </summary>
      {isOpen && (
        <>
          <About mutation={mutation} where />
          <ul class="site-list">
            {shown.map((row) => (
              <SiteRow key={row.apply} row={row} />
            ))}
          </ul>
          {shown.length < rows.length && (
            <Button kind="quiet small" onClick={() => setAll(true)}>
              {plural(rows.length - shown.length, "more site")}
            </Button>
          )}
        </>
      )}
    </details>
  );
}
