// The exports of `findings export`, to copy or save.
import { useEffect, useRef, useState } from "preact/hooks";
import { Code } from "../ui/code.jsx";
import { Button, Copy, download, secondsText, Segments, Tag } from "../ui/parts.jsx";

const FORMS = [
  [
    "repro",
    "Reproducer",
    "One file that imports nothing but torch and the standard library; it exits with 1 while the bug is there",
  ],
  ["unittest", "Unit test", "A test in the style of the file of torch's where it would land"],
  ["issue", "Issue", "The text of an issue, for a person to review; nothing is ever sent"],
  ["program", "Program", "The program file"],
  ["json", "JSON", "The finding with its evidence"],
];

/**
 * Exports of one finding, which the server makes one at a time: {form, choose, made, making, make, cancel}. `made` has by
 * form what came of it: {text, works, name} or {error}. `making` is {form, says, seconds} of the one under way, or null;
 * it ends with the view. Without `ask` there is no server, and `make` is null.
 */
export function useExports(id, ask) {
  const [form, choose] = useState("repro");
  const [made, setMade] = useState({});
  const [making, setMaking] = useState(null);
  const work = useRef(null);
  const cancel = () => work.current?.abort();
  useEffect(() => cancel, []);
  const make = async (wanted) => {
    cancel();
    const mine = (work.current = new AbortController());
    const tell = (data) => work.current === mine && setMaking(data && { form: wanted, ...data });
    const put = (value) => setMade((now) => ({ ...now, [wanted]: value }));
    put(undefined);
    tell({ says: "asks the server", seconds: 0 });
    try {
      put(await ask(id, wanted, mine.signal, tell));
    } catch (error) {
      if (!mine.signal.aborted) put({ error: error.message });
    }
    tell(null);
  };
  return { form, choose, made, making, make: ask ? make : null, cancel };
}

/**
 * `state`: what `useExports` gives. Without a server: `kept` are the exports that a report brings along, by form;
 * `leftOut` names those for which it has no room.
 */
export function Exports({ id, state, kept = {}, leftOut = [] }) {
  const { form, choose, made, making, make, cancel } = state;
  const forms = make ? FORMS : FORMS.filter(([name]) => kept[name]);
  if (forms.length === 0)
    return (
      <p class="empty">
        This report brings no exports: <code>jitprobe findings export {id} --as repro</code> writes them.
      </p>
    );
  const chosen = forms.some(([name]) => name === form) ? form : forms[0][0];
  const shown = made[chosen] ?? kept[chosen];
  const isMaking = making?.form === chosen;
  return (
    <>
      <div class="toolbar">
        <Segments label="Form" options={forms} value={chosen} onChange={choose} />
      </div>
      <p class="soft">{forms.find(([name]) => name === chosen)[2]}.</p>
      {!shown && !isMaking && (
        <Button kind="primary" onClick={() => make(chosen)}>
          Make the export
        </Button>
      )}
      {isMaking && (
        <div class="toolbar">
          <span class="spinner" aria-hidden="true" />
          <span class="soft" role="status">
            {making.says || "begins"} · {secondsText(making.seconds)}
          </span>
          <Button kind="danger small" label="Cancel the export" onClick={cancel}>
            Cancel
          </Button>
        </div>
      )}
      {shown?.error && (
        <p class="problem" role="alert">
          {shown.error}{" "}
          <Button kind="small" onClick={() => make(chosen)}>
            Try again
          </Button>
        </p>
      )}
      {!make && (
        <p class="soft">
          Nothing was run for this report.{" "}
          {leftOut.length > 0 && `It has no room for ${leftOut.map((name) => `--as ${name}`).join(", ")}. `}
          <code>jitprobe findings export {id}</code> writes all forms and runs them.
        </p>
      )}
      {shown?.text && <Exported {...shown} />}
    </>
  );
}

function Exported({ text, works, name }) {
  return (
    <div class="with-copy">
      <div class="toolbar">
        <Copy text={text} kind="primary small" />
        <Button kind="small" onClick={() => download(name || "export.txt", text)}>
          Save {name}
        </Button>
        {works === true && <Tag kind="agree">was run by itself and shows the difference</Tag>}
        {works === false && <Tag kind="warn">does not reproduce here: another torch, or flaky</Tag>}
      </div>
      <Code text={text} label="Export" />
    </div>
  );
}
