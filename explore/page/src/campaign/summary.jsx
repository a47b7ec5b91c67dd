// A campaign in numbers: cards, how its tests ended, where its time went.
import { Shares } from "../plots/shares.jsx";
import { plural, secondsText } from "../ui/parts.jsx";

const count = (value) => value?.toLocaleString("en");

/** `rate` is tests per second as this page saw them, or null. */
export function Numbers({ summary, statistics, findings, rate }) {
  const runs = (statistics.all ?? []).reduce((sum, row) => sum + (row.seconds ?? 0), 0);
  const cards = [
    [count(summary.tests), "tests", "made and judged"],
    [rate === null ? undefined : rate.toFixed(1), "tests/s", "since this page looks"],
    [count(summary.under_way || undefined), "under way", "begun and not ended"],
    [count(summary.confirmed ?? findings.length), "confirmed", "findings"],
    [count(summary.flaky), "flaky", "findings under a condition"],
    [count(summary.candidate), "candidates", "not confirmed yet"],
    [count(summary.known || undefined), "known", "bugs, and what was put aside"],
    [secondsText(runs || undefined), "of runs", "all jobs together"],
  ].filter(([value]) => value !== undefined && value !== "");
  return (
    <ul class="cards">
      {cards.map(([value, name, says]) => (
        <li key={name}>
          <strong>{value}</strong>
          <span>{name}</span>
          <span class="soft">{says}</span>
        </li>
      ))}
    </ul>
  );
}

const VERDICTS = [
  ["agree", "agree", 1],
  ["rejected", "eager fails", 5],
  ["vacuous", "nothing compiled", 3],
  ["unstable", "unstable", 2],
  ["diverge", "diverge", 4],
  ["internal_error", "internal error", 0],
];

/** The phases that took most, and the rest as one part: a bar has six colours. */
function largest(phases) {
  const parts = phases
    .map(({ phase, backend, seconds }) => ({
      name: [phase.replaceAll("_", " "), backend?.split("/").at(-1)].filter(Boolean).join(" "),
      value: seconds,
    }))
    .sort((one, other) => other.value - one.value);
  const rest = parts.slice(5).reduce((sum, part) => sum + part.value, 0);
  return [...parts.slice(0, 5), { name: "all others", value: rest }];
}

/** How tests ended and where the time went: the campaign's phases if it tells them, and its parts by backend and source. */
export function Division({ summary, statistics }) {
  const verdicts = VERDICTS.map(([name, title, tone]) => ({ name: title, value: summary.verdicts?.[name] ?? 0, tone }));
  const byTime = (rows) =>
    (rows ?? [])
      .map((row) => ({ name: row.name.split("/").at(-1) || row.name, value: row.seconds ?? 0 }))
      .sort((one, other) => other.value - one.value)
      .slice(0, 6);
  return (
    <div class="division">
      <Shares title="How tests ended" parts={verdicts} text={(value) => plural(value, "test")} />
      <Shares title="Phases of time" parts={largest(summary.phases ?? [])} text={secondsText} />
      {statistics.backend?.length > 1 && (
        <Shares title="Time of runs by backend" parts={byTime(statistics.backend)} text={secondsText} />
      )}
      {statistics.source?.length > 1 && (
        <Shares title="Time of runs by source" parts={byTime(statistics.source)} text={secondsText} />
      )}
    </div>
  );
}
