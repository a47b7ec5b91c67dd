// Keys, and the dialog that lists them.
import { useEffect } from "preact/hooks";
import { cancelAll, isRunning, runAll } from "../run/runs.js";
import { cancelWork } from "../state/making.js";
import { current, redo, session, undo } from "../state/session.js";
import { Dialog } from "../ui/parts.jsx";

const KEYS = [
  ["Ctrl+Enter", "run the program under every backend"],
  ["Ctrl+. in the editor", "show the mutations that apply at the cursor's line"],
  ["Ctrl+Alt+] in the editor", "show what is folded: what a bug that jitprobe found says about itself"],
  ["/", "filter the mutations"],
  ["Ctrl+Z, Ctrl+Shift+Z", "undo and redo steps (in the editor: typing)"],
  ["Escape", "close what is open; when nothing is, cancel a step or a run that is under way"],
  ["Tab, Shift+Tab", "go through everything; the editor does not keep the focus"],
  ["Arrow keys", "choose a tab"],
];

const isTyping = (event) =>
  event.target.closest?.("input:not([type=checkbox]), textarea, select, .cm-content") !== null;

export function useShortcuts() {
  useEffect(() => {
    const onKey = (event) => {
      if (document.querySelector("dialog[open]") || current() === null) return;
      const mod = event.ctrlKey || event.metaKey;
      if (mod && event.key === "Enter") act(event, () => isRunning() || !session.get().start || runAll());
      else if (event.key === "Escape" && isUnderWay() && !isTyping(event) && !document.querySelector(".popover"))
        act(event, cancelWhatRuns);
      else if (mod && event.key.toLowerCase() === "z" && !isTyping(event)) act(event, event.shiftKey ? redo : undo);
    };
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, []);
}

const isUnderWay = () => session.get().working !== null || isRunning();

function cancelWhatRuns() {
  if (session.get().working) cancelWork();
  else cancelAll();
}

function act(event, action) {
  event.preventDefault();
  event.stopPropagation();
  action();
}

export function HelpDialog({ onClose }) {
  const start = session.get().start;
  return (
    <Dialog title="Help and keys" onClose={onClose}>
      <ol class="help">
        <li>
          <strong>Program.</strong> A number beside a line says how many mutations apply there. Point at it to see what
          each would do; click to apply one.
        </li>
        <li>
          <strong>Steps.</strong> What you applied, in order. Each step can be switched off, moved, looked at as a diff,
          and shared as one line of text. They are numbered from 0, as on the command line; <code>m2.0</code> is the
          first statement that step 2 made.
        </li>
        <li>
          <strong>Results.</strong> The program runs plain and under each backend. A difference that rounding does not
          explain is marked element by element.
        </li>
      </ol>
      <table class="table keys">
        <tbody>
          {KEYS.map(([key, says]) => (
            <tr key={key}>
              <th scope="row">
                <kbd>{key}</kbd>
              </th>
              <td>{says}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {start && (
        <p class="soft">
          jitprobe {start.version}
          {start.torch && `, torch ${start.torch}, Python ${start.python}`}. This page talks to this machine only.
        </p>
      )}
    </Dialog>
  );
}
