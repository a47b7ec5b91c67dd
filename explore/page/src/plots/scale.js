// Axes: round numbers for ticks, and how numbers are written on them.

/** Ticks from 0 to at least `most`, about `count`, at steps of 1, 2 or 5 times a power of ten, of `least` or more. */
export function ticks(most, count = 4, least = 0) {
  if (!(most > 0)) return [0, 1];
  const rough = Math.max(most / count, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const marks = [];
  for (let i = 0; marks.length === 0 || marks.at(-1) < most; i++) marks.push(Number((i * step).toPrecision(12)));
  return marks;
}

export function shortNumber(value) {
  if (Math.abs(value) >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (Math.abs(value) >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  return Number(value.toPrecision(3)).toLocaleString("en");
}

/** {factor, unit}: seconds as s, min or h. */
export function timeUnit(seconds) {
  if (seconds >= 3 * 3600) return { factor: 3600, unit: "h" };
  return seconds >= 180 ? { factor: 60, unit: "min" } : { factor: 1, unit: "s" };
}
