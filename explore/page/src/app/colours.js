// Light and dark: as the system has it, or as the reader chose.
import { h } from "preact";
import { useState } from "preact/hooks";
import { choice, choose } from "../state/storage.js";

const NEXT = { system: "light", light: "dark", dark: "system" };
const SIGN = { system: "◐", light: "☀", dark: "☾" };

const put = (scheme) => {
  if (scheme === "system") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
};

export const followColours = () => put(choice("scheme", "system"));

export function ColoursButton() {
  const [scheme, setScheme] = useState(choice("scheme", "system"));
  const next = () => {
    const to = NEXT[scheme];
    choose("scheme", to);
    put(to);
    setScheme(to);
  };
  const label = `Colours: ${scheme}. Change to ${NEXT[scheme]}`;
  return h(
    "button",
    { type: "button", class: "button quiet icon", "aria-label": label, title: label, onClick: next },
    SIGN[scheme],
  );
}
