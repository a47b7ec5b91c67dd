// A document as a file: saved, and opened again by the page of any server.
import { current, openDocument, session, sourceNow, tell } from "./session.js";

const MOST = 2 ** 20; // bytes of a request's body (kMostBody of explore/server.h)

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
  if (file.size > MOST)
    return tell("problem", `${file.name} has ${(file.size / MOST).toFixed(1)} MiB: the server takes programs up to 1 MiB.`);
  const text = await file.text();
  if (!file.name.endsWith(".json")) return openDocument({ name: file.name, program: { source: text } });
  const kept = parsed(text);
  if (typeof kept?.program?.source !== "string") return tell("problem", `${file.name} is no session of this page.`);
  const { name, program, steps = [], typed = null } = kept;
  if (typed !== null && steps.length === 0) return openDocument({ name, program: { ...program, source: typed } });
  openDocument({ name, program, steps, typed });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
