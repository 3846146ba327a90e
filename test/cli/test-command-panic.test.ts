/** `sonde test` where a line panicked: it wrote nothing, and nothing is said to have come from it. */
import { describe, expect, test } from "vitest";
import { compilerVersion } from "../support/builds.ts";
import { borrowSonde } from "../support/sonde.ts";

const CODE = `package pan

type Box struct{ last, zero int }

func (b *Box) Ratio(by int) int {
	return b.last / by
}

func (b *Box) Use(by int) {
	b.last = 8
	b.last = b.Ratio(by) + 1
}

func Mid(by int) int {
	out := 14
	out = out / by
	return out
}
`;
const TESTS = `package pan

import "testing"

func TestUse(t *testing.T) {
	b := &Box{}
	b.Use(b.zero)
}

func TestMid(t *testing.T) {
	got := Mid(2)
	got = Mid(0)
	if got != 6 {
		t.Fatalf("got %d, want 6", got)
	}
}
`;

describe.skipIf(compilerVersion("go") === undefined)("go test", () => {
  const said = (name: string) => {
    const sonde = borrowSonde();
    sonde.write("go.mod", "module pan\n\ngo 1.18\n");
    sonde.write("pan.go", CODE);
    sonde.write("pan_test.go", TESTS);
    return sonde.text(["test", "--", "go", "test", "-run", `^${name}$`, "."], {
      timeoutMs: 240_000,
    });
  };

  test("the line that called what panicked has not written its field", { timeout: 240_000 }, async () => {
    const text = await said("TestUse");
    expect(text).toContain("integer divide by zero");
    expect(text).toMatch(/10 \| b\.last = 8 {2}b = /);
    expect(text).not.toMatch(/^ +11 \| /m);
  });

  test("what a name held before a line that was to set it is not what the line got", {
    timeout: 240_000,
  }, async () => {
    const text = await said("TestMid");
    expect(text).toContain("integer divide by zero");
    expect(text).toContain("got = 7");
    expect(text).not.toContain("came from");
    expect(text).not.toContain("returned 7");
  });
});
