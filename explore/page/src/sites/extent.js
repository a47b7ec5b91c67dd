// Where in its line or block a site is, in words.

const WORDS = { empty: "empty block", else: "else branch", in_place: "in place", inplace: "in place" };

/** The lines of a range of statements, or a place within the statement; "" where the line says all. */
export function extent(row, { rows = [], statements = [] }) {
  const path = row.path ?? "";
  if (/^\d+(\.\d+)*$/.test(path)) return `at position ${path} of the statement`;
  const [id] = (path || row.apply.split("@").at(-1)).split(/[\s:]/).slice(-1);
  const last = statements.find((statement) => statement.id === id);
  if (!last) return WORDS[path] ?? path;
  const isOf = (other) => other !== row && other.mutation === row.mutation && other.line === row.line;
  if (!path && !rows.some(isOf)) return "";
  return last.end_line > row.line ? `lines ${row.line} to ${last.end_line}` : `line ${row.line} only`;
}
