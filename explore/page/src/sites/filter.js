// Which sites are listed, and how they are grouped.

export const SECTIONS = [
  ["A", "Operators written out"],
  ["B", "State corrupted and restored"],
  ["C", "Control flow and scopes"],
  ["D", "Equivalent on this input"],
  ["E", "Variations"],
];

// What a newcomer has to know of each promise.
export const EXACTNESS = {
  bitwise: "Eager's result stays the same, bit for bit.",
  rounding: "Eager's result may change by rounding, or in the sign of a zero.",
  variation: "The result is another one: the changed program's own eager run is the reference.",
  broken: "Eager must refuse the changed program, and so must the compiler.",
};

export const NO_FILTER = { section: "", exactness: "", line: 0, text: "" };

/** Sites that pass: `mutations` is a Map from id to the row of the catalogue. */
export function filtered(rows, mutations, { section, exactness, line, text }) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const about = mutations.get(row.mutation) ?? {};
    if (section && about.section !== section) return false;
    if (exactness && row.exactness !== exactness) return false;
    if (line && row.line !== line) return false;
    if (words.length === 0) return true;
    const all = `${row.apply} ${row.example} ${about.says ?? ""} ${about.aims ?? ""}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** [{mutation, rows}], by name. */
export function grouped(rows) {
  const groups = new Map();
  for (const row of rows) {
    if (!groups.has(row.mutation)) groups.set(row.mutation, []);
    groups.get(row.mutation).push(row);
  }
  return [...groups]
    .map(([mutation, members]) => ({ mutation, rows: members }))
    .sort((one, other) => (one.mutation < other.mutation ? -1 : 1));
}

export function countsByLine(rows) {
  const counts = new Map();
  for (const { line } of rows) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
