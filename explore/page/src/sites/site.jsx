// One site: what would stand there, and the buttons that apply the mutation.
import { useState } from "preact/hooks";
import { applyStep } from "../state/making.js";
import { session } from "../state/session.js";
import { Button, Dialog, SeedField, Segments } from "../ui/parts.jsx";
import { extent } from "./extent.js";

export function SiteRow({ row, showLine = true, onApplied }) {
  const [choosing, setChoosing] = useState(false);
  const where = extent(row, session.get().sites);
  const apply = () => {
    applyStep(row.apply);
    onApplied?.();
  };
  return (
    <li class="site">
      <button type="button" class="site-apply" onClick={apply}>
        <span class="hidden">Apply {row.mutation} </span>
        <span class={showLine ? "site-line" : "hidden"}>line {row.line}</span>
        <code>{row.example || row.apply}</code>
        {where && <span class="soft site-path">{where}</span>}
      </button>
      <Button kind="quiet small" onClick={() => setChoosing(true)}>
        Choose…
        <span class="hidden">
          {" "}
          parameters of {row.mutation} at line {row.line}
        </span>
      </Button>
      {choosing && <ChooseDialog row={row} onClose={() => setChoosing(false)} onApplied={onApplied} />}
    </li>
  );
}

function ChooseDialog({ row, onClose, onApplied }) {
  const [by, setBy] = useState("seed");
  const [seed, setSeed] = useState("1");
  const [draws, setDraws] = useState("");
  const apply = (event) => {
    event.preventDefault();
    onClose();
    if (by === "seed") applyStep(row.apply, Number(seed) || 0);
    else applyStep(`${row.apply}=${draws.trim()}`);
    onApplied?.();
  };
  return (
    <Dialog title={`Parameters of ${row.mutation}`} onClose={onClose}>
      <form onSubmit={apply} class="form">
        <p class="soft">
          A mutation draws its details, for example which variable it uses. The same seed draws the same ones; the draws
          themselves are what a lineage records.
        </p>
        <Segments
          label="Parameters come from"
          value={by}
          onChange={setBy}
          options={[
            ["seed", "A seed"],
            ["draws", "The draws themselves"],
          ]}
        />
        {by === "seed" ? (
          <SeedField says="Seed, a whole number from 0" value={seed} onChange={setSeed} />
        ) : (
          <label class="field">
            Draws, as after the “=” of a step
            <input
              class="code"
              value={draws}
              onInput={(event) => setDraws(event.target.value)}
              placeholder="1,'x > 0'"
              required
            />
          </label>
        )}
        <div class="form-foot">
          <button type="submit" class="button primary">
            Apply
          </button>
        </div>
      </form>
    </Dialog>
  );
}
