// Several drawn steps at once.
import { useState } from "preact/hooks";
import { EXACTNESS } from "../sites/filter.js";
import { applyRandom } from "../state/making.js";
import { Dialog, OnlyField, SeedField, Select } from "../ui/parts.jsx";

export const drawnSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

export function RandomDialog({ onClose }) {
  const [count, setCount] = useState(3);
  const [seed, setSeed] = useState(drawnSeed());
  const [exactness, setExactness] = useState("bitwise");
  const [only, setOnly] = useState("");
  const apply = (event) => {
    event.preventDefault();
    onClose();
    applyRandom({ count: Number(count), seed: Number(seed), exactness, only: only.split(/[\s,]+/).filter(Boolean) });
  };
  return (
    <Dialog title="Apply random mutations" onClose={onClose}>
      <form class="form" onSubmit={apply}>
        <label class="field">
          How many steps
          <input
            type="number"
            min="1"
            max="50"
            value={count}
            onInput={(event) => setCount(event.target.value)}
            required
          />
        </label>
        <label class="field">
          What they may do to the result
          <Select
            label="Exactness"
            value={exactness}
            onChange={setExactness}
            options={["bitwise", "rounding", "variation"].map((name) => [name, `${name}: ${EXACTNESS[name]}`])}
          />
        </label>
        <OnlyField value={only} onChange={setOnly} />
        <SeedField says="Seed: the same seed draws the same steps" value={seed} onChange={setSeed} />
        <div class="form-foot">
          <button type="submit" class="button primary">
            Apply
          </button>
        </div>
      </form>
    </Dialog>
  );
}
