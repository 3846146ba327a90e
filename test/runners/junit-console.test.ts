/** What JUnit's console launcher prints, and the command lines that run one of its tests. */
import { expect, test } from "vitest";
import { recognise } from "../../src/runners/index.ts";
import { junitConsole } from "../../src/runners/junit-console.ts";

const PRINTED = `
Failures (2):
  JUnit Jupiter:CartTest:addsUp()
    MethodSource [className = 'shop.CartTest', methodName = 'addsUp', methodParameterTypes = '']
    => org.opentest4j.AssertionFailedError: expected: <25> but was: <26>
       org.junit.jupiter.api.AssertEquals.assertEquals(AssertEquals.java:145)
       shop.CartTest.addsUp(CartTest.java:17)
       java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
  JUnit Jupiter:CartTest:fails(int)
    MethodSource [className = 'shop.CartTest', methodName = 'fails', methodParameterTypes = 'int']
    => java.lang.IllegalStateException: no such cart
       shop.CartTest.fails(CartTest.java:22)

Test run finished after 838 ms
[         3 tests found           ]
[         0 tests skipped         ]
[         0 tests aborted         ]
[         1 tests successful      ]
[         2 tests failed          ]
`;

const TYPED = ["java", "-ea", "-jar", "lib/junit-platform-console-standalone-1.10.2.jar"];
const WORDS = [...TYPED, "-cp", "out", "--scan-class-path", "--details=tree"];

function line() {
  const found = recognise(WORDS);
  if (found === undefined) throw new Error("not recognised");
  expect(found.runner).toBe(junitConsole);
  return { head: found.head, rest: found.rest, cwd: "/", exists: () => false };
}

test("its failures are known by class and method, with what was compared and where", () => {
  const survey = junitConsole.survey(line(), undefined);
  expect(survey.command("")).toEqual([
    ...[...TYPED, "execute", "-cp", "out", "--scan-class-path"],
    ...["--disable-banner", "--disable-ansi-colors", "--details=none"],
  ]);
  const report = survey.read({ stdout: PRINTED, stderr: "", report: undefined });
  expect(report).toMatchObject({ passed: 1, skipped: 0 });
  expect(report?.failures).toMatchObject([
    {
      name: "shop.CartTest.addsUp",
      type: "AssertionFailedError",
      message: "expected: <25> but was: <26>",
      places: [{ file: "CartTest.java", line: 17 }],
      compared: [
        { label: "expected", value: "25" },
        { label: "but was", value: "26" },
      ],
    },
    { name: "shop.CartTest.fails", type: "IllegalStateException", message: "no such cart" },
  ]);
  const [, second] = report?.failures ?? [];
  expect(second && junitConsole.single(line(), second)).toEqual({
    command: [
      ...[...TYPED, "execute", "-cp", "out", "--select-method", "shop.CartTest#fails(int)"],
      ...["--disable-banner", "--disable-ansi-colors", "--details=none"],
    ],
  });
});

test("what says nothing of tests is no report", () => {
  expect(
    junitConsole.survey(line(), undefined).read({ stdout: "usage", stderr: "", report: undefined }),
  ).toBe(undefined);
  expect(recognise(["java", "-jar", "app.jar"])).toBe(undefined);
});
