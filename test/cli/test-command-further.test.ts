/** `sonde test` on code that should have run, on texts by their words, and the lines for which an answer has no room. */
import { expect, test } from "vitest";
import { splitWords } from "../../src/util/shell-words.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";
import { type Answer, asked } from "./test-answers.ts";

const slow = { timeout: 120_000 };
const LINE = ["test", "--", "node", "--test", "code.test.js"];

function written(sonde: Sonde, code: string, name: string, body: string): void {
  sonde.write("code.js", code);
  sonde.write(
    "code.test.js",
    `const test = require("node:test");
const assert = require("node:assert");
const { ${name} } = require("./code.js");
test("${name}", () => {
${body}
});
`,
  );
}

const numbers = ({ origin }: Answer) => (origin?.lines ?? []).map(({ line }) => line);

test(
  "the call that returned the wrong value comes before what else its callers work with",
  slow,
  async () => {
    const sonde = borrowSonde();
    written(
      sonde,
      `function tally(words) {
  let count = 1;
  for (const word of words) {
    if (word === "") continue;
    count++;
  }
  return count;
}
function day() {
  const words = ["a", "", "b"];
  const names = words.map((word) => word.toUpperCase());
  const count = tally(words);
  const text = names.join(" ");
  return { names, text, count };
}
exports.day = day;
`,
      "day",
      "  const { count } = day();\n  assert.strictEqual(count, 2);",
    );
    expect(numbers(await asked(sonde, LINE)).slice(0, 4)).toContain(2);
  },
);

test("of a value of several parts, the call that returned the wrong one", slow, async () => {
  const sonde = borrowSonde();
  written(
    sonde,
    `const sum = (list) => list.reduce((all, one) => all + one, 40);
const most = (list) => Math.max(...list);
exports.facts = () => {
  const list = [7, 9, 12];
  const total = sum(list);
  const high = most(list);
  return { list, total, high };
};
`,
    "facts",
    "  const { total, high } = facts();\n  assert.strictEqual(total, 28);\n  assert.strictEqual(high, 12);",
  );
  const { origin } = await asked(sonde, LINE);
  expect(origin?.calls.map((one) => one.function)).toEqual(["facts", "sum"]);
});

test("a line whose calls made the change comes after the lines that made it", slow, async () => {
  const sonde = borrowSonde();
  written(
    sonde,
    `class Till {
  constructor() {
    this.sum = 0;
  }
  take(coin) {
    this.sum -= coin;
  }
}
exports.shop = () => {
  const till = new Till();
  till.take(5);
  till.take(2);
  till.take(1);
  return till;
};
`,
    "shop",
    "  const till = shop();\n  assert.strictEqual(till.sum, 8);",
  );
  const lines = numbers(await asked(sonde, LINE));
  expect(lines).toContain(6);
  for (const driver of [11, 12, 13].filter((one) => lines.includes(one)))
    expect(lines.indexOf(6)).toBeLessThan(lines.indexOf(driver));
});

const GATE = `function clean(name) {
  return name.trimEnd();
}
function enter(name, list) {
  const own = clean(name);
  if (list.includes(own)) {
    return 201;
  }
  if (own === "") return 422;
  return 404;
}
exports.gate = (names) => names.map((name) => enter(name, ["ann", "bob"]));
`;

test("an expected value in code that did not run: where that was decided", slow, async () => {
  const sonde = borrowSonde();
  written(sonde, GATE, "gate", '  assert.deepStrictEqual(gate([" ann", "eve"]), [201, 404]);');
  const answer = await asked(sonde, LINE);
  expect(answer.origin?.unmet).toMatchObject([
    { value: "201", line: 7, decided: { line: 6, source: "if (list.includes(own)) {" } },
  ]);
  expect(numbers(answer).slice(0, 4)).toEqual(expect.arrayContaining([6, 5]));
  expect(await sonde.text(LINE, { timeoutMs: 90_000 })).toContain(`
201 was expected, and stands in code that did not run
  code.js:6 | if (list.includes(own)) {
  code.js:7 | return 201;
`);
});

test("on the line of its condition; not where it ran elsewhere in the same test", slow, async () => {
  const sonde = borrowSonde();
  written(sonde, GATE, "gate", '  assert.deepStrictEqual(gate(["eve", " "]), [404, 201]);');
  expect((await asked(sonde, LINE)).origin?.unmet).toMatchObject([{ value: "201", line: 7 }]);
  written(sonde, GATE, "gate", '  assert.deepStrictEqual(gate(["eve", "eva"]), [404, 422]);');
  expect((await asked(sonde, LINE)).origin?.unmet).toMatchObject([{ line: 9, decided: { line: 9 } }]);
  written(sonde, GATE, "gate", '  assert.deepStrictEqual(gate(["", "eve"]), [422, 422]);');
  expect((await asked(sonde, LINE)).origin?.unmet).toEqual([]);
});

test("in an arm of a choice that no call returned", slow, async () => {
  const sonde = borrowSonde();
  const code = `const rule = ({ age }) => (age < 18 ? { code: 451 } : { code: 200 });
exports.codes = (people) => people.map(rule).map(({ code }) => code);
`;
  written(sonde, code, "codes", "  assert.deepStrictEqual(codes([{ age: 18 }, { age: 30 }]), [451, 200]);");
  expect((await asked(sonde, LINE)).origin?.unmet).toMatchObject([{ value: "451", line: 1 }]);
  written(sonde, code, "codes", "  assert.deepStrictEqual(codes([{ age: 18 }, { age: 3 }]), [451, 451]);");
  expect((await asked(sonde, LINE)).origin?.unmet).toEqual([]);
});

const WRAPPED = `class Refusal extends Error {
  constructor(status) {
    super("refused");
    this.status = status - 3;
  }
}
function guard(user) {
  if (user.late) throw new Refusal(403);
}
const shown = (code) => code - 4;
exports.ask = (user) => {
  try {
    guard(user);
  } catch (error) {
    return error.status;
  }
  if (user.far) return shown(503);
  return user.near ? shown(507) : 200;
};
`;

test.each([
  ["thrown", "{ late: true }", 403],
  ["given to a call", "{ far: true }", 503],
  ["given to a call in an arm", "{ near: true }", 507],
])("a literal that is %s on a line that ran is not said not to have run", slow, async (_, user, expected) => {
  const sonde = borrowSonde();
  written(sonde, WRAPPED, "ask", `  assert.strictEqual(ask(${user}), ${expected});`);
  const { origin } = await asked(sonde, LINE);
  expect(origin?.calls.map((one) => one.function)).toContain("ask");
  expect(origin?.unmet).toEqual([]);
});

test("nor one that also stands in code that ran", slow, async () => {
  const sonde = borrowSonde();
  const code = `exports.status = (user) => {
  const codes = { late: 403, ok: 200 };
  if (user.blocked) {
    return 403;
  }
  return codes.ok;
};
`;
  written(sonde, code, "status", "  assert.strictEqual(status({ late: true }), 403);");
  expect((await asked(sonde, LINE)).origin?.unmet).toEqual([]);
});

test("a literal in a statement of several lines that ran is not said not to have run", slow, async () => {
  const sonde = borrowSonde();
  written(
    sonde,
    `exports.prices = (late) => {
  if (late !== undefined) {
    return [
      late ? 12 : 10,
      77,
    ];
  }
  return [];
};
`,
    "prices",
    "  assert.deepStrictEqual(prices(true), [10, 77]);",
  );
  expect((await asked(sonde, LINE)).origin?.unmet).toEqual([]);
});

test("an unexpected text leads to the line that has its words", slow, async () => {
  const sonde = borrowSonde();
  written(
    sonde,
    `function rest(stock, count) {
  const left = stock - count;
  return left + 1;
}
exports.log = () => {
  const rows = [];
  for (const day of [1, 2, 3]) {
    rows.push(\`day \${day}\`);
    if (day === 2) {
      const left = rest(9, day);
      rows.push(\`only \${left} remain\`);
    }
    rows.push(\`end of \${day}\`);
  }
  return rows;
};
`,
    "log",
    '  assert.deepStrictEqual(log(), ["day 1", "end of 1", "day 2", "only 7 remain", "end of 2", "day 3", "end of 3"]);',
  );
  expect(numbers(await asked(sonde, LINE)).slice(0, 4)).toEqual(expect.arrayContaining([11, 10]));
});

test("a line that gives a part of an object what a call returned: the lines of that call", slow, async () => {
  const sonde = borrowSonde();
  written(
    sonde,
    `const size = (text) => {
  const wide = text.length;
  return wide + 1;
};
const note = (order) => {
  order.seen = true;
};
exports.price = (text) => {
  const order = { text };
  note(order);
  order.total = size(text);
  return order;
};
`,
    "price",
    '  const order = price("abc");\n  assert.deepStrictEqual(order, { text: "abc", seen: true, total: 3 });',
  );
  expect(numbers(await asked(sonde, LINE))).toEqual(expect.arrayContaining([11, 3, 2, 6]));
});

test("of an object that is made of another, the lines that wrote the field that differs", slow, async () => {
  const sonde = borrowSonde();
  written(
    sonde,
    `const stats = { seen: 0, left: 9 };
function look(thing) {
  stats.left -= 1;
  stats.seen -= 1;
  return thing + "!";
}
function gather() {
  const loud = ["a", "b"].map(look);
  const count = loud.length;
  return { loud, count, ...stats };
}
exports.walk = () => {
  const gathered = gather();
  return { ...gathered, name: "walk" };
};
`,
    "walk",
    "  const { seen, left } = walk();\n  assert.deepStrictEqual({ seen, left }, { seen: 2, left: 7 });",
  );
  expect(numbers(await asked(sonde, LINE)).slice(0, 6)).toContain(4);
});

test("a field that no line wrote: the lines that made the object", slow, async () => {
  const sonde = borrowSonde();
  written(
    sonde,
    `class Desk {
  constructor(owner) {
    this.name = "desk";
    this.drawers = [];
  }
  put(thing) {
    this.drawers.push(thing);
  }
  label() {
    return this.owner.trim();
  }
}
exports.label = () => {
  const desk = new Desk("ann");
  desk.put("pen");
  return desk.label();
};
`,
    "label",
    '  assert.strictEqual(label(), "ann");',
  );
  expect(numbers(await asked(sonde, LINE)).slice(0, 5)).toEqual(expect.arrayContaining([3, 4]));
});

test("what is not waited for comes before what else the line is made of", slow, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "code.js",
    `const load = async (name) => name.length;
exports.sizes = async (names) => {
  const found = [];
  for (const name of names) {
    const size = load(name);
    found.push(name + ":" + size);
  }
  return found;
};
`,
  );
  sonde.write(
    "code.test.js",
    `const test = require("node:test");
const assert = require("node:assert");
const { sizes } = require("./code.js");
test("sizes", async () => {
  const found = await sizes(["a", "bc"]);
  assert.deepStrictEqual(found, ["a:1", "bc:2"]);
});
`,
  );
  expect(numbers(await asked(sonde, LINE)).slice(0, 3)).toContain(5);
});

test(
  "lines for which the first answer has no room are one call away, in an answer of its size",
  slow,
  async () => {
    const sonde = borrowSonde();
    const step = (at: number) => `function step${at}(value) {
  const more = value + ${at};
  const twice = more * 2;
  return ${at === 0 ? "twice" : `step${at - 1}(twice)`} - ${at};
}
`;
    const code = `${Array.from({ length: 12 }, (_, at) => step(at)).join("")}exports.run = () => step11(1);\n`;
    written(sonde, code, "run", "  const got = run();\n  assert.strictEqual(got, 5);");
    const first = await sonde.text(["test", "--timeout", "80", ...LINE.slice(1)], { timeoutMs: 90_000 });
    const [, next = ""] = /^next: `sonde ([^`]+)` lists what else it may depend on$/m.exec(first) ?? [];
    expect(splitWords(next)).toEqual([
      "test",
      "--name",
      "run",
      "--further",
      "--timeout",
      "80",
      ...LINE.slice(1),
    ]);
    const further = await sonde.text(splitWords(next), { timeoutMs: 90_000 });
    const listed = (text: string) => [...text.matchAll(/^ {4} *(\d+) \| /gm)].map(([, line]) => Number(line));
    expect(listed(further).length).toBeGreaterThan(10);
    expect(
      listed(further).filter((line) => listed(first.split("may depend")[1] ?? "").includes(line)),
    ).toEqual([]);
    for (const text of [first, further]) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
    expect(further).toMatch(/^next: `sonde trace --function /m);
  },
);
