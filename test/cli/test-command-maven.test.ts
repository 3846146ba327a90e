/** `sonde test` on Maven: what fails by the reports of surefire, and one test in the JVM that Maven starts for it. */
import { chmodSync, existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { javaRows } from "../contract/rows/java.ts";
import { marker } from "../support/markers.ts";
import { borrowSonde, FIXTURES, type Sonde } from "../support/sonde.ts";
import { asked, places, values } from "./test-answers.ts";

const REPOSITORY = join(resolve(import.meta.dirname, "../.."), ".adapters/maven");
/** Each answer takes two or three runs of Maven. */
const slow = { timeout: 480_000 };
const LINE = ["--", "mvn", "--offline", `-Dmaven.repo.local=${REPOSITORY}`, "test"];
const long = { timeoutMs: 460_000 };

function project(): Sonde {
  const sonde = borrowSonde();
  sonde.fixture("java-maven/pom.xml");
  sonde.fixture("java-maven/src");
  return sonde;
}

const line = (name: string) => marker(join(FIXTURES, "java-maven/src/test/java/shop/CartTest.java"), name);

describe.skipIf(javaRows.length === 0 || !existsSync(REPOSITORY))("maven", () => {
  test("an assertion, alone in the JVM of surefire, with its values", slow, async () => {
    const answer = await asked(project(), ["test", "--name", "discount", ...LINE], long);
    expect(answer).toMatchObject({
      runner: "maven",
      counts: { failed: 2, passed: 1, skipped: 0 },
      status: { exitCode: 1 },
      test: {
        name: "shop.CartTest.discount",
        type: "AssertionFailedError",
        message: "expected: <30> but was: <25>",
      },
      others: ["shop.CartTest.parse"],
    });
    expect(places(answer)).toEqual([`CartTest.java:${line("assertion")} CartTest.discount`]);
    expect(values(answer, 0)).toMatchObject({ got: "25", prices: "int[2] {10, 20}" });
  });

  test("an exception, by a part of its name", slow, async () => {
    const answer = await asked(project(), ["test", "--name", "parse", ...LINE], long);
    expect(answer.test).toMatchObject({ name: "shop.CartTest.parse", type: "NumberFormatException" });
    expect(places(answer)).toContain(`CartTest.java:${line("parse")} CartTest.parse`);
  });

  test("a run of one test that does not come to it: what the first run reported", slow, async () => {
    const sonde = borrowSonde();
    sonde.write(
      "mvnw",
      `#!/bin/sh
case "$*" in *-Dtest=*) echo "[ERROR] no such project"; exit 1;; esac
mkdir -p target/surefire-reports
cat > target/surefire-reports/TEST-shop.CartTest.xml <<'END'
<testsuite name="shop.CartTest"><testcase name="discount" classname="shop.CartTest">
<failure type="AssertionError">java.lang.AssertionError: after the discount
	at shop.CartTest.discount(CartTest.java:17)
</failure></testcase></testsuite>
END
exit 1
`,
    );
    chmodSync(join(sonde.project, "mvnw"), 0o755);
    const answer = await asked(sonde, ["test", "--", "./mvnw", "test"]);
    expect(answer).toMatchObject({
      state: "failed",
      counts: { failed: 1 },
      test: { name: "shop.CartTest.discount", message: "after the discount" },
    });
    expect(answer.notes.slice(0, 2)).toEqual([
      "it names CartTest.java:17",
      "it could not be run again under the debugger, so only the runner's report is shown",
    ]);
    expect(answer.output).toContain("[ERROR] no such project");
  });

  test("what does not compile", slow, async () => {
    const sonde = project();
    sonde.write("src/main/java/shop/Cart.java", "package shop;\nclass Cart { int x = nothing; }\n");
    const answer = await asked(sonde, ["test", ...LINE], long);
    expect(answer).toMatchObject({
      state: "failed",
      counts: { failed: 0 },
      notes: ["no test failed, but the runner did"],
    });
    expect(answer.output.join("\n")).toContain("Cart.java:[2,22] cannot find symbol");
  });
});
