const test = require("node:test");
const assert = require("node:assert");
const { readQuery, match, scenario } = require("./routes.js");

test("answers", () => {
  const answers = scenario();
  assert.deepStrictEqual(
    answers.map(({ status }) => status),
    [200, 200, 403, 405, 200, 200, 404],
  );
  assert.deepStrictEqual(
    answers.map(({ body }) => body),
    ["user 7", "7 is ann b", "no", "GET, PUT", "7 a", "a/b.txt", "/none"],
  );
  assert.deepStrictEqual(answers[4].log, ["4 GET"]);
});

test("queries", () => {
  assert.deepStrictEqual(readQuery("x=1&x=2&y&z=a%3D"), { x: ["1", "2"], y: "", z: "a=" });
});

test("matches", () => {
  assert.deepStrictEqual(match("/a/:b", ["a", "1"]), { b: "1" });
  assert.strictEqual(match("/a/:b", ["a"]), undefined);
  assert.strictEqual(match("/a", ["a", "b"]), undefined);
});
