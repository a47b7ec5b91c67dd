// What docs/mutations.md says of each mutation: text and examples, in their order.
import document from "../../../../docs/mutations.md";

const sections = new Map(
  document
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const end = section.indexOf("\n");
      return [section.slice(0, end).trim(), section.slice(end + 1).trim()];
    }),
);

/** All names that the documents know, in their order. */
export const documentedNames = () => [...sections.keys()];

/** The page of a mutation in the documents: this server's, in a tab of its own. "" for none in the URL. */
export const docsUrl = (mutation) => `${location.pathname}${location.search}#mutation=${mutation}`;
export const mutationInUrl = () => new URLSearchParams(location.hash.slice(1)).get("mutation") ?? "";

/** [{ code: bool, text }]: paragraphs and examples; none for a name that the documents don't know. */
export function documented(mutation) {
  const parts = (sections.get(mutation) ?? "").split(/^```(?:python)?\n?/m);
  return parts
    .map((text, at) => ({ code: at % 2 === 1, text: text.replace(/^\n+|\n+$/g, "") }))
    .filter((part) => part.text);
}
