/** `sonde diff` of two versions of what is installed: the code of a package counts as soon as it differs, or is named. */
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

async function diffed(sonde: Sonde, a: string, b: string, ...more: string[]): Promise<string> {
  const text = await sonde.text(["diff", ...more, "--a", a, "--b", b]);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2048);
  return text;
}

const APP = `const { wrap } = require("folder");\nconsole.log(wrap("one two three", 6));\n`;
const LIBRARY = (room: string) =>
  `"use strict";\nconst parts = (text) => text.split(" ");\nexports.wrap = function (text, width) {\n  const lines = [""];\n  for (const word of parts(text)) {\n    const last = lines.length - 1;\n    const isFull = lines[last].length + word.length ${room} width;\n    if (isFull) lines.push(word);\n    else lines[last] += word;\n  }\n  return lines.join("|");\n};\n`;

function nodePackage(sonde: Sonde, side: string, version: string, text: string): void {
  const folder = `${side}/node_modules/folder`;
  sonde.write(`${folder}/package.json`, JSON.stringify({ name: "folder", version, main: "lib/index.js" }));
  sonde.write(`${folder}/lib/index.js`, text);
}

test("Node: two versions of a package, by the line that was changed in it", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  for (const [side, version, sign] of [
    ["a", "1.0.0", ">"],
    ["b", "1.1.0", ">="],
  ] as const) {
    sonde.write(`${side}/app.js`, APP);
    nodePackage(sonde, side, version, LIBRARY(sign));
  }
  const text = await diffed(sonde, "node a/app.js", "node b/app.js");
  expect(text).toMatch(/^installed code that differs, and was recorded too: folder 1\.0\.0 → 1\.1\.0\n/);
  expect(text).toMatch(
    /first divergence: line a\/node_modules\/folder\/lib\/index\.js:7 in wrap: isFull differs .*changed line/,
  );
  expect(text).toMatch(/next: `sonde trace --function wrap --package folder -- node b\/app\.js`/);
});

test("Node: the same version with other bytes, and where it shows in your code", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  for (const [side, sign] of [
    ["a", ">"],
    ["b", ">="],
  ] as const) {
    sonde.write(`${side}/app.js`, APP.replace("console.log(", "const text = (") + "console.log(text);\n");
    nodePackage(sonde, side, "1.0.0", LIBRARY(sign));
  }
  const text = await diffed(sonde, "node a/app.js", "node b/app.js");
  expect(text).toMatch(/folder 1\.0\.0 \(the same version, other files\)/);
  expect(text).toMatch(/folder\/lib\/index\.js:7 in wrap: isFull differs/);
  expect(text).toMatch(/in your code it shows at a\/app\.js:2: text differs/);
});

test("what differs by chance is not where it shows in your code", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  for (const [side, sign] of [
    ["a", ">"],
    ["b", ">="],
  ] as const) {
    sonde.write(
      `${side}/app.js`,
      `const token = Math.random();\n${APP.replace("console.log(", "const text = (")}console.log(text);\n`,
    );
    nodePackage(sonde, side, "1.0.0", LIBRARY(sign));
  }
  const text = await diffed(sonde, "node a/app.js", "node b/app.js");
  expect(text).toMatch(/folder\/lib\/index\.js:7 in wrap: isFull differs/);
  expect(text).toMatch(/in your code it shows at a\/app\.js:3: text differs/);
});

test("Node: nothing installed differs: what was left out is said, and a package that is named is recorded", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  nodePackage(sonde, ".", "1.0.0", LIBRARY(">").replace("width;", "Number(process.argv[2]);"));
  sonde.write("app.js", APP);
  const text = await diffed(sonde, "node app.js 6", "node app.js 5");
  expect(text).toMatch(/^no difference in \d+ recorded moments, but the runs end differently\n/);
  expect(text).toMatch(/not recorded: .*1 installed package, the same in both runs \(folder\).*--package/);
  const named = await diffed(sonde, "node app.js 6", "node app.js 5", "--package", "folder");
  expect(named).toMatch(
    /first divergence: line node_modules\/folder\/lib\/index\.js:7 in wrap: isFull differs/,
  );
});

test("runs that are the same say what was not recorded", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  nodePackage(sonde, ".", "1.0.0", LIBRARY(">"));
  sonde.write("app.js", APP);
  const text = await diffed(sonde, "node app.js 6", "node app.js 5");
  expect(text).toMatch(/^no difference in \d+ recorded moments\n/);
  expect(text).toMatch(/not recorded: .*folder/);
});

const MODULE = (room: string) =>
  `def parts(text):\n    return text.split(" ")\n\n\ndef wrap(text, width):\n    lines = [""]\n    for word in parts(text):\n        full = len(lines[-1]) + len(word) ${room} width\n        if full:\n            lines.append(word)\n        else:\n            lines[-1] += word\n    return "|".join(lines)\n`;

test("Python: two versions of a package in site-packages", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  for (const [side, version, sign] of [
    ["a", "1.0", ">"],
    ["b", "1.1", ">="],
  ] as const) {
    const site = `${side}/lib/python3/site-packages`;
    sonde.write(`${site}/folder/__init__.py`, "from .wrapping import wrap\n");
    sonde.write(`${site}/folder/wrapping.py`, MODULE(sign));
    sonde.write(`${site}/folder-${version}.dist-info/METADATA`, `Name: folder\nVersion: ${version}\n`);
  }
  sonde.write("app.py", 'from folder import wrap\n\nprint(wrap("one two three", 6))\n');
  const on = (side: string) =>
    `env PYTHONPATH=${sonde.project}/${side}/lib/python3/site-packages python3 app.py`;
  const text = await diffed(sonde, on("a"), on("b"));
  expect(text).toMatch(/^installed code that differs, and was recorded too: folder 1\.0 → 1\.1\n/);
  expect(text).toMatch(
    /first divergence: line a\/lib\/python3\/site-packages\/folder\/wrapping\.py:8 in wrap: full differs .*changed line/,
  );
});

/** Two releases: everything is written anew, and one thing is done otherwise. */
const OLD = `module.exports = function (text) {
  var words = split(text);
  var out = [];
  for (var i = 0; i < words.length; i++) {
    out.push(cap(words[i]));
  }
  return out.join(" ");
};

function split(text) {
  var clean = text.replace(/_/g, " ");
  return clean.split(" ");
}

function cap(word) {
  var first = word.charAt(0);
  var rest = word.slice(1);
  return first.toUpperCase() + rest;
}
`;
const NEW = `module.exports = function (text) {
  const words = split(text);
  return words.map((word) => cap(word)).join(" ");
};

function split(text) {
  const spaced = text.replaceAll("_", " ");
  const parts = spaced.split(" ");
  return parts;
}

function cap(word) {
  const rest = word.substring(1);
  const isShort = word.length < 3;
  if (isShort) return word;
  return word[0].toUpperCase() + rest;
}
`;

test("releases that differ in many places: the call that comes to something else, and what differs in it", {
  timeout: 60_000,
}, async () => {
  const sonde = borrowSonde();
  for (const [side, version, text] of [
    ["a", "1.0.0", OLD],
    ["b", "2.0.0", NEW],
  ] as const) {
    sonde.write(
      `${side}/app.js`,
      'const title = require("folder");\nconst show = (text) => {\n  console.log(title(text));\n};\nshow("some words");\nshow("lord of_rings");\n',
    );
    nodePackage(sonde, side, version, text);
  }
  const text = await diffed(sonde, "node a/app.js", "node b/app.js");
  expect(text).toMatch(
    /first call with the same arguments and a different result: cap\(word="of"\), called at a\/node_modules\/folder\/lib\/index\.js:5\n {2}A "Of", B "of"\n/,
  );
  expect(text).toMatch(
    /the runs first diverge inside it: line [ab]\/node_modules\/folder\/lib\/index\.js:1\d in cap: /,
  );
});

test("what a module exports without a name goes by where it is put", { timeout: 60_000 }, async () => {
  const sonde = borrowSonde();
  sonde.write("half.js", "module.exports = function (n) {\n  return n / 2;\n};\n");
  sonde.write("named.js", "module.exports = function twice(n) {\n  return n * 2;\n};\n");
  sonde.write("app.js", 'console.log(require("./half.js")(4) + require("./named.js")(1));\n');
  const text = await sonde.text([
    "trace",
    "--function",
    "module.exports",
    "--function",
    "twice",
    "--",
    "node",
    "app.js",
  ]);
  expect(text).toMatch(/module\.exports\(n=4\) {2}half\.js:1\n/);
  expect(text).toMatch(/twice\(n=1\) {2}named\.js:1\n/);
});
