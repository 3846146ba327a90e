/** Which functions ran, how often, and with what share of the time. */
import { count, fileName, oneLine } from "../../parts/text.ts";
import type { CountedCall } from "./data.ts";

export function Counts({ calls }: { calls: readonly CountedCall[] }) {
  return (
    <div class="table-box" tabIndex={0} role="region" aria-label="functions that ran">
      <table class="rows">
        <thead>
          <tr>
            <th class="end">own ms</th>
            <th class="end">whole ms</th>
            <th class="end">calls</th>
            <th>function</th>
            <th>place</th>
            <th>called from</th>
          </tr>
        </thead>
        <tbody>
          {calls.slice(0, 500).map((row) => (
            <tr key={`${row.path}:${row.line} ${row.function}`}>
              <td class="end">{row.ownMs.toFixed(1)}</td>
              <td class="end">{row.wholeMs.toFixed(1)}</td>
              <td class="end">{count(row.count)}</td>
              <td>
                <code>{oneLine(row.function, 100)}</code>
              </td>
              <td class="quiet">
                {oneLine(fileName(row.path), 80)}:{row.line}
              </td>
              <td class="quiet">
                {row.callers
                  .slice(0, 3)
                  .map((caller) => `${oneLine(caller.function ?? "outside", 60)} ${count(caller.count)}×`)
                  .join(", ")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
