/** The figures of one run: by language and by kind of mistake. Pure. */

const share = (list, is) => `${list.filter(is).length}/${list.length}`;
const percent = (list, is) =>
  list.length === 0 ? "–" : `${Math.round((100 * list.filter(is).length) / list.length)} %`;

function figures(rows) {
  const diffs = rows.flatMap(({ diff }) => (diff === undefined ? [] : [diff]));
  const tests = rows.flatMap(({ test }) => (test === undefined ? [] : [test]));
  const cells = (list, is) => `${share(list, is)} ${percent(list, is)}`;
  return [
    cells(diffs, ({ named }) => named),
    cells(diffs, ({ leads }) => leads),
    cells(diffs, ({ alone }) => alone),
    cells(tests, ({ found }) => found),
  ];
}

/** `named`: in an answer of at most 2 KB. `leads`: as its first place. `by values`: the divergence of the runs alone. `tests`: in two calls. */
export function table(rows) {
  const groups = (key) => [...new Set(rows.map((row) => row[key]))].sort();
  const lines = [
    ["", "diff: named", "leads", "by values", "tests"],
    ...groups("language").map((name) => [name, ...figures(rows.filter(({ language }) => language === name))]),
    [""],
    ...groups("kind").map((name) => [name, ...figures(rows.filter(({ kind }) => kind === name))]),
    [""],
    [`all ${rows.length}`, ...figures(rows)],
  ];
  const widths = lines[0].map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
