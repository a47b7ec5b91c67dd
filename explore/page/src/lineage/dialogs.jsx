// Naming, saving, sharing and pasting.
import { useState } from "preact/hooks";
import { programText, sessionText } from "../state/files.js";
import { current, pasteLineage, rename } from "../state/session.js";
import { Button, Copy, Dialog, download } from "../ui/parts.jsx";

export const fileName = (name, ending) =>
  `${name.replace(/\.(py|json)$/, "").replace(/[^\w.-]+/g, "_") || "program"}.${ending}`;

/** The document as a file that this page opens again. */
export const saveSession = () => download(fileName(current().name, "json"), sessionText());

export function SaveDialog({ onClose }) {
  const [name, setName] = useState(current().name);
  const named = (save) => () => {
    if (name !== current().name) rename(name);
    save();
    onClose();
  };
  return (
    <Dialog title="Name and save" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          named(() => {})();
        }}
      >
        <label class="field">
          Name
          <input value={name} onInput={(event) => setName(event.target.value)} required />
        </label>
        <div class="choices">
          <Button kind="primary" onClick={named(() => download(fileName(name, "py"), programText()))}>
            Save the program file
          </Button>
          <p class="soft">
            The Python file as it is now, for <code>jitprobe run</code>, <code>mutate</code> and{" "}
            <code>fuzz --from</code>.
          </p>
          <Button onClick={named(saveSession)}>Save start and steps</Button>
          <p class="soft">A JSON file that this page opens again, with every step still to be switched.</p>
        </div>
      </form>
    </Dialog>
  );
}

export function ShareDialog({ line, onClose }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const load = async (event) => {
    event.preventDefault();
    const wrong = await pasteLineage(text);
    setProblem(wrong);
    if (!wrong) onClose();
  };
  return (
    <Dialog title="Share or paste steps" onClose={onClose}>
      <div class="form">
        <label class="field">
          The steps as one line of lineage text
          <textarea
            class="code"
            readOnly
            rows={3}
            value={line || "(no step yet)"}
            onFocus={(event) => event.target.select()}
          />
        </label>
        <div class="form-foot">
          <Copy text={line} kind="primary">
            Copy line
          </Copy>
        </div>
        <form onSubmit={load}>
          <label class="field">
            Paste a line, or the output of <code>jitprobe mutate --lineage</code>
            <textarea
              class="code"
              rows={3}
              value={text}
              onInput={(event) => setText(event.target.value)}
              placeholder="true_block@s3:s5=1,'x > 0'; wrap_try@m0.0"
            />
          </label>
          {problem && (
            <p class="problem" role="alert">
              {problem}
            </p>
          )}
          <div class="form-foot">
            <button type="submit" class="button" disabled={!text.trim()}>
              Replace the steps by these
            </button>
          </div>
        </form>
      </div>
    </Dialog>
  );
}
