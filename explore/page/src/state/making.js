// Steps that the server makes: one at a site that was chosen, or drawn ones.
import { answerOf } from "../api/stream.js";
import { newStep, sent } from "./lineage.js";
import { addSteps, change, current, fail, keyOf, session, tell } from "./session.js";

let work = null;
/** The answer of a stream that makes steps, and null if it was cancelled; another one ends it. */
async function worked(says, path, body, event) {
  work?.abort();
  const mine = (work = new AbortController());
  const tellOf = (data) => work === mine && session.set({ working: { ...data, says: data.says || says } });
  tellOf({ says, seconds: 0 });
  try {
    return await answerOf(path, body, event, mine.signal, tellOf);
  } catch (error) {
    if (!mine.signal.aborted) throw error;
    return null;
  } finally {
    if (work === mine) {
      work = null;
      session.set({ working: null });
    }
  }
}

export const cancelWork = () => work?.abort();

export async function applyStep(step, seed = null) {
  const document = current();
  if (session.get().sites.key !== keyOf(document))
    return tell("note", "The sites are still those of the program before: choose again when the new ones are there.");
  const started = performance.now();
  try {
    const asked = { program: document.program, steps: sent(document.steps), step, seed };
    const answer = await worked(`applies ${step.split("@")[0]}`, "/api/apply", asked, "applied");
    if (!answer || current() !== document) return;
    const steps = [...document.steps, newStep(answer.step)];
    const next = { ...document, steps };
    const before = session.get().replayed;
    const known = { text: answer.step, source: answer.source, error: "", exactness: answer.exactness };
    const replayed = { key: keyOf(next), source: answer.source, steps: [...(before?.steps ?? []), known] };
    change({ steps }, { replayed, compare: "last" });
    performance.measure("click to diff", { start: started });
  } catch (error) {
    fail(error);
  }
}

export async function applyRandom(wanted) {
  const document = current();
  try {
    const asked = { program: document.program, steps: sent(document.steps), ...wanted };
    const answer = await worked("draws mutations", "/api/random", asked, "drawn");
    if (!answer || current() !== document) return;
    const { steps } = answer;
    if (steps.length === 0) return tell("note", "No mutation that was asked for applies to this program.");
    addSteps(steps, { compare: "last" });
  } catch (error) {
    fail(error);
  }
}
