/** `sonde diff`: installed code that only one of the runs loaded is no difference in what is installed. */
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };

function install(sonde: Sonde, folder: string, files: Record<string, string>): void {
  const name = folder.replace(/^.*\//, "");
  sonde.write(`${folder}/package.json`, JSON.stringify({ name, version: "1.0.0", main: "index.js" }));
  for (const [path, text] of Object.entries(files)) sonde.write(`${folder}/${path}`, text);
}

const diffed = (sonde: Sonde, a: string, b: string) => sonde.text(["diff", "--a", a, "--b", b]);

test("two trees with the same bytes, of which B loaded one file more", slow, async () => {
  const sonde = borrowSonde();
  for (const side of ["a", "b"]) {
    sonde.write(
      `${side}/app.js`,
      'const { pick } = require("folder");\nconst got = pick(process.argv[2]);\nconsole.log(got);\n',
    );
    install(sonde, `${side}/node_modules/folder`, {
      "index.js": 'exports.pick = (word) => (word === "two" ? require("./extra.js")(word) : word);\n',
      "extra.js": 'module.exports = (word) => word + "!";\n',
    });
  }
  const text = await diffed(sonde, "node a/app.js one", "node b/app.js two");
  expect(text).toMatch(/^first divergence: line a\/app\.js:2\b.*: got differs/);
  expect(text).not.toMatch(/installed code|other files/);
});

test("a file that only B's package has, and loaded, is a difference", slow, async () => {
  const sonde = borrowSonde();
  for (const side of ["a", "b"]) {
    sonde.write(`${side}/app.js`, 'const got = require("folder")();\nconsole.log(got);\n');
    install(sonde, `${side}/node_modules/folder`, {
      "index.js":
        'module.exports = () => {\n  try {\n    return require("./extra.js")();\n  } catch {\n    return 1;\n  }\n};\n',
      ...(side === "b" ? { "extra.js": "module.exports = () => 2;\n" } : {}),
    });
  }
  const text = await diffed(sonde, "node a/app.js", "node b/app.js");
  expect(text).toMatch(
    /^installed code that differs, and was recorded too: folder 1\.0\.0 \(the same version, other files\)/,
  );
});

test("a package that only B loaded is said to be that, and no more", slow, async () => {
  const sonde = borrowSonde();
  sonde.write(
    "app.js",
    'let got = "none";\nif (process.argv[2] === "two") got = require("extra");\nconsole.log(got);\n',
  );
  install(sonde, "node_modules/extra", { "index.js": 'module.exports = "some";\n' });
  const text = await diffed(sonde, "node app.js one", "node app.js two");
  expect(text).toMatch(/^installed code loaded only by B: extra\nfirst divergence: line app\.js:2\b/);
  expect(text).not.toMatch(/differs, and was recorded|only in B/);
});

test("…also where no difference is found", slow, async () => {
  const sonde = borrowSonde();
  sonde.write("app.js", "require(process.argv[2]).say();\n");
  install(sonde, "node_modules/one", { "index.js": 'exports.say = () => console.log("one");\n' });
  install(sonde, "node_modules/two", { "index.js": 'exports.say = () => console.log("two");\n' });
  const text = await diffed(sonde, "node app.js one", "node app.js two");
  expect(text).toMatch(/^no difference in \d+ recorded moments?, but the runs end differently\n/);
  expect(text).toMatch(/not recorded: 2 installed packages, loaded only by A: one, loaded only by B: two; /);
});
