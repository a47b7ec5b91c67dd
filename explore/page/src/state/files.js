// A document as a file: saved, and opened again by the page of any server.
import { current, openDocument, session, sourceNow, tell } from "./session.js";

const MiB = 2 ** 20;
const MOST_PROGRAM = MiB; // bytes (kMaxProgramBytes of core/program.h)
const MOST_SESSION = 4 * MiB; // bytes of a request's body (kMostBody of explore/server.h)

/** The program as the editor shows it after all steps, with what is typed and not taken over. */
export const programText = () => session.get().draft?.text ?? sourceNow();

/** The start, all steps, those too that are off, and what is typed, as JSON. */
export function sessionText() {
  const { name, program, steps } = current();
  const kept = { name, program, steps: steps.map(({ text, on }) => ({ text, on })) };
  const { draft } = session.get();
  return JSON.stringify(draft ? { ...kept, typed: draft.text } : kept, null, 1);
}

/** A program file, or what `sessionText` gives. */
export async function openFile(file) {
  const [most, what] = file.name.endsWith(".json") ? [MOST_SESSION, "sessions"] : [MOST_PROGRAM, "programs"];
  if (file.size > most) {
    const size = (file.size / MiB).toFixed(1);
    return tell("problem", `${file.name} has ${size} MiB: the server takes ${what} up to ${most / MiB} MiB.`);
  }
  const text = await file.text();
  if (what === "programs") return openDocument({ name: file.name, program: { source: text } });
  const kept = sessionOf(text);
  if (!kept) return tell("problem", `${file.name} is no session of this page.`);
  const { program, steps, typed } = kept;
  const name = kept.name || file.name;
  if (typed !== null && steps.length === 0) return openDocument({ name, program: { ...program, source: typed } });
  openDocument({ name, program, steps, typed });
}

/** {name, program, steps, typed} of what `sessionText` gives; null for anything else. */
function sessionOf(text) {
  let kept;
  try {
    kept = JSON.parse(text);
  } catch {
    return null;
  }
  const { name, program, steps = [], typed = null } = kept ?? {};
  const isText = (value) => typeof value === "string";
  const sound = [program?.source, name ?? "", typed ?? "", program?.entry ?? "", program?.inputs ?? ""].every(isText);
  return sound && Array.isArray(steps) ? { name, program, steps, typed } : null;
}
