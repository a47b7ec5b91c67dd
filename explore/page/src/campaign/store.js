// The campaign as the server last told it, asked again every two seconds while the view is shown,
// and less often when it has ended.
import { api } from "../api/client.js";
import { answerOf } from "../api/stream.js";
import { createStore } from "../state/store.js";

const EVERY = 2000; // milliseconds: chosen, not measured
const EVERY_ENDED = 10 * EVERY; // it may be resumed
const WINDOW = 30; // answers that the rate is taken over

export const campaign = createStore({ data: null, error: "", finding: null, opening: "", seen: [] });

/** Tests per second over the last answers; null before there are two. */
export function rateOf(seen) {
  const first = seen[0];
  const last = seen.at(-1);
  return seen.length < 2 ? null : (1000 * (last.tests - first.tests)) / (last.at - first.at);
}

/** Begins asking; gives the function that ends it. */
export function followCampaign() {
  const controller = new AbortController();
  let timer = 0;
  const ask = async () => {
    try {
      const data = await api.campaign(controller.signal);
      const seen = [...campaign.get().seen, { at: performance.now(), tests: data.summary?.tests ?? 0 }].slice(-WINDOW);
      campaign.set({ data, error: "", seen });
    } catch (error) {
      if (error.name === "AbortError") return;
      campaign.set({ error: error.message });
    }
    const moving = campaign.get().error || campaign.get().data?.running;
    timer = setTimeout(ask, moving ? EVERY : EVERY_ENDED);
  };
  ask();
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

/** The one that was asked for last is shown, whichever answer comes first. */
export async function openFinding(id) {
  campaign.set({ opening: id });
  const answered = (members) => campaign.get().opening === id && campaign.set({ opening: "", ...members });
  try {
    const finding = await api.finding(id);
    answered({ finding: { ...finding, id }, error: "" });
  } catch (error) {
    answered({ error: error.message });
  }
}

/** An export of a finding, made by the server until the signal aborts. */
export const askExport = (id, form, signal, onProgress) =>
  answerOf("/api/export", { id, as: form }, "exported", signal, onProgress);

export const closeFinding = () => campaign.set({ finding: null });
