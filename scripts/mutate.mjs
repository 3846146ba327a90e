/**
 * Whether the tests notice a mistake: changes one place of the sources at a time, runs tests, and reports the changes that no test
 * noticed. Run it in a checkout of its own: the sources are changed while it runs, and put back after.
 *
 *   node scripts/mutate.mjs --in src/session --count 20 --seed 1 -- test/session test/unit
 *
 * What survives is to be read: some changes make no difference that anybody can see, some are seen only by tests that were not run.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript5";
import { ROOT } from "./prepare.mjs";

const { values: options, positionals: tests } = parseArgs({
  allowPositionals: true,
  options: {
    in: { type: "string", multiple: true, default: ["src/session", "src/commands"] },
    count: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    /** Only show what would be changed. */
    list: { type: "boolean", default: false },
  },
});

const SWAPPED = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
]);

/** Each as the piece of text that is replaced, and by what. */
function changesOf(node, source) {
  const at = (one, text) => ({ from: one.getStart(source), to: one.getEnd(), text });
  const negated = (one) => at(one, `!(${one.getText(source)})`);
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return [negated(node.expression)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition)];
  if (ts.isBinaryExpression(node)) {
    const text = SWAPPED.get(node.operatorToken.kind);
    const isText = [node.left, node.right].some(
      (one) => ts.isStringLiteralLike(one) || ts.isTemplateExpression(one),
    );
    return text === undefined || (isText && /[-+]/.test(text)) ? [] : [at(node.operatorToken, text)];
  }
  if (ts.isNumericLiteral(node)) return [at(node, String(Number(node.text.replaceAll("_", "")) + 1))];
  if (ts.isExpressionStatement(node)) {
    const called = ts.isAwaitExpression(node.expression) ? node.expression.expression : node.expression;
    const isLog = /\blog\b/.test(called.getText(source).split("(")[0] ?? "");
    return ts.isCallExpression(called) && !isLog ? [at(node, ";")] : [];
  }
  return [];
}

/** A deadline that is a millisecond longer is no mistake. */
function isTime(node) {
  for (let one = node; one; one = one.parent)
    if (ts.isVariableDeclaration(one)) return /_MS$|_S$|timeout/i.test(one.name.getText());
  return false;
}

function allChanges(file) {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (!isTime(node)) found.push(...changesOf(node, source).map((change) => ({ file, ...change })));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The same for the same seed. */
function shuffled(list, seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const keyed = list.map((one) => ({ one, key: next() }));
  return keyed.sort((left, right) => left.key - right.key).map(({ one }) => one);
}

function described({ file, from, to, text }, whole) {
  const line = whole.slice(0, from).split("\n").length;
  const short = (piece) => piece.replace(/\s+/g, " ").slice(0, 90);
  return `${relative(ROOT, file)}:${line}  ${short(whole.slice(from, to))}  ->  ${short(text)}`;
}

/** Nothing if all pass. */
function failure() {
  const words = [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--retry=0",
    "--bail=1",
    "--reporter=dot",
    ...tests,
  ];
  const ran = spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8", timeout: 600_000 });
  return ran.status === 0 ? undefined : `${ran.stdout}${ran.stderr}`;
}

const files = options.in.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(ROOT, folder, String(name)))
    .filter((name) => /(?<!\.test|\.generated)\.ts$/.test(name)),
);
const chosen = shuffled(files.sort().flatMap(allChanges), Number(options.seed)).slice(
  0,
  Number(options.count),
);
if (options.list) {
  for (const change of chosen) console.log(described(change, readFileSync(change.file, "utf8")));
  process.exit();
}
const before = failure();
if (before !== undefined) throw new Error(`the tests fail before anything is changed:\n${before}`);
let survived = 0;
for (const change of chosen) {
  const whole = readFileSync(change.file, "utf8");
  let isUnnoticed = false;
  try {
    writeFileSync(change.file, whole.slice(0, change.from) + change.text + whole.slice(change.to));
    isUnnoticed = failure() === undefined;
  } finally {
    writeFileSync(change.file, whole);
  }
  if (isUnnoticed) survived++;
  console.log(`${isUnnoticed ? "SURVIVED" : "noticed "}  ${described(change, whole)}`);
}
console.log(`${survived} of ${chosen.length} changes were noticed by no test`);
