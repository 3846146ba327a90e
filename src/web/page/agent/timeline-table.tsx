/** The lanes of what programs did, as a table: when, what, how much, and which event it came from. */
import { count, many, oneLine } from "../parts/text.ts";
import { lowerBound } from "./lower-bound.ts";
import type { RunData } from "./run-data.ts";
import { time } from "./spans.ts";
import type { Timeline } from "./timeline.ts";

interface TableProps {
  run: RunData;
  timeline: Timeline;
  select(row: number): void;
}

export function TimelineTable({ run, timeline, select }: TableProps) {
  const { empty, gone, left } = timeline;
  const rows = [
    ...timeline.traces.map((one) => ({
      ...one,
      href: `/t/${encodeURIComponent(one.id)}`,
      what: `trace ${one.id}`,
      much: many(one.hits, "hit"),
    })),
    ...timeline.profiles.map((one) => ({
      ...one,
      href: `/p/${encodeURIComponent(one.id)}`,
      what: `${one.kind} profile ${one.id}`,
      much: one.samples === undefined ? "" : many(one.samples, "sample"),
    })),
  ].sort((a, b) => a.from - b.from);
  if (rows.length === 0) return null;
  const show = (seq: number) => select(lowerBound(run.columns.peek()?.seq ?? [], seq));
  return (
    <details class="did">
      <summary>what programs did: {many(rows.length, "recording")}</summary>
      <table>
        <thead>
          <tr>
            {["from", "to", "what", "how much", "program", "event"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, href, what, much, title, from, to, seq }) => (
            <tr key={id}>
              <td>{time(Math.max(0, from))}</td>
              <td>{time(Math.max(0, to))}</td>
              <td>
                <a href={href}>{oneLine(what, 40)}</a>
              </td>
              <td>{much}</td>
              <td>
                <code>{oneLine(title, 120)}</code>
              </td>
              <td>
                {seq === undefined ? (
                  ""
                ) : (
                  <button type="button" class="link" onClick={() => show(seq)}>
                    {count(seq)}
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="note">
        Placed by when each recording began.
        {empty.length === 0 ? "" : ` Without a hit: ${oneLine(empty.join(", "), 200)}.`}
        {gone.length === 0 ? "" : ` Removed since, or unreadable: ${oneLine(gone.join(", "), 200)}.`}
        {left === 0 ? "" : ` ${many(left, "earlier one")} left out.`}
      </p>
    </details>
  );
}
