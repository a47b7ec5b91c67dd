// The campaign as the server last told it, asked again every two seconds while it runs and the view is shown.
import { api } from "../api/client.js";
import { createStore } from "../state/store.js";

const EVERY = 2000; // milliseconds: chosen, not measured

export const campaign = createStore({ data: null, error: "", finding: null, opening: "" });

/** Begins asking; gives the function that ends it. */
export function followCampaign() {
  const controller = new AbortController();
  let timer = 0;
  const ask = async () => {
    try {
      const data = await api.campaign(controller.signal);
      campaign.set({ data, error: "" });
    } catch (error) {
      if (error.name === "AbortError") return;
      campaign.set({ error: error.message });
    }
    if (campaign.get().error || campaign.get().data?.running) timer = setTimeout(ask, EVERY);
  };
  ask();
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

export async function openFinding(id) {
  campaign.set({ opening: id });
  try {
    const finding = await api.finding(id);
    campaign.set({ finding: { ...finding, id }, opening: "", error: "" });
    return finding;
  } catch (error) {
    campaign.set({ opening: "", error: error.message });
    return null;
  }
}

export const closeFinding = () => campaign.set({ finding: null });
