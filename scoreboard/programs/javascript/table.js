// Text in columns: wrapped, aligned, with a ruler and sums.
"use strict";

function wrap(text, width) {
  const lines = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (line.length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}

function widths(rows) {
  const widest = [];
  for (const row of rows)
    row.forEach((cell, at) => {
      widest[at] = Math.max(widest[at] ?? 0, String(cell).length);
    });
  return widest;
}

function pad(cell, width) {
  const text = String(cell);
  const blank = " ".repeat(Math.max(0, width - text.length));
  return typeof cell === "number" ? blank + text : text + blank;
}

function sums(rows) {
  const [head] = rows;
  return head.map((_, at) => {
    const numbers = rows.map((row) => row[at]).filter((cell) => typeof cell === "number");
    return numbers.length === 0 ? "" : numbers.reduce((a, b) => a + b, 0);
  });
}

function table(head, rows) {
  const all = [head, ...rows, sums(rows)];
  const wide = widths(all);
  const ruler = wide.map((width) => "-".repeat(width)).join("+");
  const lines = all.map((row) => row.map((cell, at) => pad(cell, wide[at])).join("|"));
  lines.splice(1, 0, ruler);
  lines.splice(lines.length - 1, 0, ruler);
  return lines;
}

function ranked(rows, column) {
  const sorted = [...rows];
  sorted.sort((a, b) => b[column] - a[column]);
  return sorted.map((row, at) => `${at + 1}. ${row[0]}`);
}

module.exports = { wrap, table, ranked, sums };

// driver

const ROWS = [
  ["apples", 12, 3.5],
  ["figs", 150, 1],
  ["plum jam", 7, 20.25],
];
const TEXT = "the quick brown fox jumps over an extraordinarily long hedge";

if (require.main === module) {
  console.log(wrap(TEXT, 11).join("\n"));
  console.log(table(["what", "count", "each"], ROWS).join("\n"));
  console.log(ranked(ROWS, 1), ranked(ROWS, 2), ROWS[0][0]);
}
