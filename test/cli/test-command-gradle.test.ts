/** `sonde test` on Gradle: what fails by its reports, and one test in the JVM that Gradle starts for it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { javaRows } from "../contract/rows/java.ts";
import { borrowSonde } from "../support/sonde.ts";
import { asked, places, values } from "./test-answers.ts";

/** JUnit of the system's packages, which come with Gradle's: a version that needs nothing from elsewhere. */
const JARS = ["junit4.jar", "hamcrest-core.jar"].map((name) => join("/usr/share/java", name));
/** Three runs of Gradle. */
const slow = { timeout: 480_000 };

const BUILD = `apply plugin: 'java'
dependencies { testImplementation files('${JARS.join("', '")}') }
`;
const TEST = `package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class CartTest {
  @Test
  public void plain() {
    assertEquals(1, Cart.total(new int[] {1}, 0));
  }

  @Test
  public void discount() {
    int[] prices = {10, 20};
    int got = Cart.total(prices, 5);
    assertEquals(30, got);
  }
}
`;

describe.skipIf(javaRows.length === 0 || !JARS.every((jar) => existsSync(jar)))("gradle", () => {
  test(
    "an assertion in a project of several, alone in the JVM of its tests, with its values",
    slow,
    async () => {
      const sonde = borrowSonde();
      sonde.write("settings.gradle", "include 'app', 'core:lib'\n");
      for (const project of ["app", "core/lib"]) sonde.write(`${project}/build.gradle`, BUILD);
      sonde.write(
        "core/lib/src/main/java/shop/Cart.java",
        `package shop;
class Cart {
  static int total(int[] prices, int off) {
    int amount = 0;
    for (int price : prices) amount += price;
    return amount - off;
  }
}
`,
      );
      sonde.write("core/lib/src/test/java/shop/CartTest.java", TEST);
      sonde.write(
        "app/src/test/java/AppTest.java",
        "public class AppTest { @org.junit.Test public void fine() {} }\n",
      );
      const answer = await asked(sonde, ["test", "--", "gradle", "--offline", "check"], {
        timeoutMs: 460_000,
      });
      expect(answer).toMatchObject({
        runner: "gradle",
        counts: { failed: 1, passed: 2, skipped: 0 },
        status: { exitCode: 1 },
        test: { name: "shop.CartTest.discount", type: "AssertionError" },
      });
      expect(places(answer)).toEqual(["CartTest.java:17 CartTest.discount"]);
      expect(values(answer, 0)).toMatchObject({ got: "25", prices: "int[2] {10, 20}" });
      expect(answer.next).toBe(
        "sonde trace --function Cart.total -- gradle --no-daemon --console=plain --offline core:lib:test --tests shop.CartTest.discount",
      );
    },
  );
});
