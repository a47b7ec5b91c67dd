// The exports of `findings export`, to copy or save.
import { useState } from "preact/hooks";
import { Code } from "../ui/code.jsx";
import { Button, Copy, download, Segments, Tag } from "../ui/parts.jsx";

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
 * `ask(id, form)` asks the server. Without it: `kept` are the exports that a report brings along, by form; `leftOut`
 * names those for which it has no room.
 */
export function Exports({ id, ask, kept = {}, leftOut = [] }) {
  const [form, setForm] = useState("repro");
  const [state, setState] = useState({});
  const forms = ask ? FORMS : FORMS.filter(([name]) => kept[name]);
  if (forms.length === 0)
    return (
      <p class="empty">
        This report brings no exports: <code>jitprobe findings export {id} --as repro</code> writes them.
      </p>
    );
  const chosen = forms.some(([name]) => name === form) ? form : forms[0][0];
  const shown = state[chosen] ?? kept[chosen];
  const make = async () => {
    setState({ ...state, [chosen]: { making: true } });
    try {
      const made = await ask(id, chosen);
      setState((now) => ({ ...now, [chosen]: made }));
    } catch (error) {
      setState((now) => ({ ...now, [chosen]: { error: error.message } }));
    }
  };
  return (
    <>
      <div class="toolbar">
        <Segments label="Form" options={forms} value={chosen} onChange={setForm} />
      </div>
      <p class="soft">{forms.find(([name]) => name === chosen)[2]}.</p>
      {!shown && (
        <Button kind="primary" onClick={make}>
          Make the export
        </Button>
      )}
      {shown?.making && (
        <p class="empty" role="status">
          Writing the file and running it by itself in a new interpreter …
        </p>
      )}
      {shown?.error && (
        <p class="problem" role="alert">
          {shown.error}{" "}
          <Button kind="small" onClick={make}>
            Try again
          </Button>
        </p>
      )}
      {!ask && (
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
