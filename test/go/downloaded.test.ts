/** Which frames of a Go program are the user's: modules that were downloaded are not, wherever they are kept. */
import { expect, test } from "vitest";
import { Stacks } from "../../src/adapters/delve/stacks.ts";

test.each([
  ["/home/me/go/pkg/mod/github.com/google/go-cmp@v0.5.4/cmp/compare.go", "subtle"],
  // GOMODCACHE may be any folder, also one in the project.
  ["/home/me/app/.modules/github.com/google/go-cmp@v0.5.4/cmp/compare.go", "subtle"],
  ["/home/me/app/.modules/example.com/x@v0.0.0-20240101000000-abcdef123456/x.go", "subtle"],
  ["/home/me/app/cmp/compare.go", undefined],
  ["/home/me@v2/app/compare.go", undefined],
])("%s", (path, hint) => {
  const frame = { id: 1000, name: "cmp.Diff", line: 1, column: 1, source: { path } };
  const { stackFrames } = new Stacks().dim({ stackFrames: [frame] }) as {
    stackFrames: { presentationHint?: string }[];
  };
  expect(stackFrames[0]?.presentationHint).toBe(hint);
});
