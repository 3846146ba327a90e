import { expect, test } from "vitest";
import { tryBlocks } from "../../src/adapters/php/catching.ts";

test("every try is found, with its lines and all it catches", () => {
  const source = `<?php
try {
    try { inner(); } finally { done(); }
} catch (A | \\B\\C $e) {
    again();
} catch (D) {
}`;
  expect(tryBlocks(source)).toEqual([
    { from: 2, to: 4, catches: ["A", "\\B\\C", "D"] },
    { from: 3, to: 3, catches: [] },
  ]);
});

test("braces and words in strings and comments are no code", () => {
  const source = `<?php
// try {
$a = 'try { }'; # try {
try {
    echo "} catch (X $e) {"; /* } */
    echo <<<TEXT
    }
    TEXT;
} catch (Y $e) {
}`;
  expect(tryBlocks(source)).toEqual([{ from: 4, to: 9, catches: ["Y"] }]);
});
