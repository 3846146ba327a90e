/** Panics, deadlocks, goroutines, watches and expressions. */
import { expect, test } from "vitest";
import type { MoveResult } from "../../src/commands/answers/shapes.ts";
import { builtFolder } from "../support/builds.ts";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const slow = { timeout: 60_000 };

async function started(text: string, ...more: string[]): Promise<{ sonde: Sonde; result: MoveResult }> {
  const sonde = borrowSonde();
  sonde.write("main.go", text);
  return { sonde, result: await sonde.ask<MoveResult>(["start", "main.go", ...more]) };
}

const PANICS = `package main

import (
	"errors"
	"fmt"
)

type point struct{ x, y int }

func (p *point) move(by int) int { p.x += by; return p.x }

func double(n int) int { return n * 2 }

func try(k int) {
	defer func() { fmt.Println("recovered:", recover()) }()
	switch k {
	case 0:
		panic(errors.New("plain error"))
	case 1:
		var p *point
		p.x = 1
	case 2:
		_ = []int{}[k]
	}
}

func main() {
	p := &point{1, 2}
	n, s := 5, "text"
	fmt.Println(p, n, s, p.move(0), double(1))
	for k := 0; k < 3; k++ {
		try(k)
	}
	p = nil
	p.x = 2
}
`;

test(
  "panics that are recovered, with the words they would print; then the one that is not",
  slow,
  async () => {
    const { sonde, result } = await started(PANICS, "--catch", "panic");
    const seen = [result, await sonde.ask<MoveResult>("continue")];
    seen.push(await sonde.ask<MoveResult>("continue"));
    const shown = seen.map((one) => (one.state === "stopped" ? one.snapshot : undefined));
    expect(shown.map((one) => one?.exception?.message)).toEqual([
      "plain error",
      "runtime error: invalid memory address or nil pointer dereference",
      "runtime error: index out of range [2] with length 0",
    ]);
    for (const one of shown) {
      expect(one).toMatchObject({ reason: "exception", exception: { type: "panic", uncaught: false } });
      expect(one?.frame?.function).toBe("main.try");
    }
    await sonde.ask("catch remove 1");
    await sonde.ask("catch uncaught");
    const last = await sonde.ask<MoveResult>("continue");
    expect(last).toMatchObject({
      state: "stopped",
      snapshot: { exception: { type: "panic", uncaught: true }, frame: { function: "main.main" } },
    });
    expect(await sonde.ask("continue")).toMatchObject({ state: "exited", exitCode: 2 });
  },
);

test("a deadlock is a stop, at what the main goroutine waits for", slow, async () => {
  const { result, sonde } = await started(
    "package main\n\nfunc wait(c chan int) int {\n\tn := 7\n\treturn n + <-c\n}\n\nfunc main() {\n\tprintln(wait(make(chan int)))\n}\n",
  );
  expect(result).toMatchObject({
    state: "stopped",
    snapshot: {
      reason: "exception",
      exception: {
        type: "fatal error",
        message: "all goroutines are asleep - deadlock!",
        uncaught: true,
      },
      notes: ["`sonde threads` shows where each goroutine waits"],
      frame: { function: "main.wait", line: 5 },
    },
  });
  expect(await sonde.ask("continue")).toMatchObject({ state: "exited", exitCode: 2 });
});

test("assignments, calls and members by eval and set; print promises no effects", slow, async () => {
  const { sonde } = await started(PANICS, "--break", "main.go:30");
  const value = async (...words: string[]) => (await sonde.ask<{ value: string }>(words)).value;
  expect(await value("eval", "n = 30")).toBe("30");
  expect(await value("eval", "n += double(1)")).toBe("32");
  expect(await value("eval", "double(n)")).toBe("64");
  expect(await value("eval", "p.move(4)")).toBe("5");
  expect(await value("set", "p.y", "9")).toBe("9");
  expect(await value("set", "s", '"new"')).toBe('"new"');
  expect(await value("set", "n", "n + 1")).toBe("33");
  expect(await value("print", "*p")).toContain("{x: 5, y: 9}");
  expect(await sonde.refusal(["print", "double(2)"])).toMatchObject({
    code: "EVAL_FAILED",
    hint: expect.stringContaining("sonde eval"),
  });
  expect(await sonde.text(["memory", "read", "&n", "--count", "8"])).toContain("21 00 00 00 00 00 00 00");
  await sonde.ask(["memory", "write", "&n", "0a"]);
  expect(await value("print", "n")).toBe("10");
  expect(await sonde.text("registers")).toContain("0x");
});

test("raw knows delve's few commands, and says which they are", slow, async () => {
  const { sonde } = await started(PANICS, "--break", "main.go:30");
  expect(await sonde.text(["raw", "sources", "main.go$"])).toMatch(/main\.go\n$/);
  expect(await sonde.text("raw dlv help")).toContain("examinemem");
  expect(await sonde.text(["raw", "n + 1"])).toBe("6\n");
  expect(await sonde.refusal("raw goroutines")).toMatchObject({
    code: "EVAL_FAILED",
    message: expect.stringMatching(/help, config, sources.*goroutines are threads here/),
  });
});

test("goroutines by number, each with its own place; the runtime's own are not shown", slow, async () => {
  const sonde = borrowSonde(builtFolder("go"));
  await sonde.ask("start threads --break threads.go:15");
  const { threads } = await sonde.ask<{ threads: { name: string; current: boolean }[] }>("threads");
  expect(threads.map(({ name }) => name)).toEqual(
    threads.map(() => expect.stringMatching(/^goroutine \d+$/)),
  );
  expect(threads).toHaveLength(3);
  expect(await sonde.text("threads")).not.toContain("runtime.");
});

test(
  "a watch stops at each write; when its function has returned it is let go, and that is said",
  slow,
  async () => {
    const sonde = borrowSonde(builtFolder("go"));
    await sonde.ask("start stats --break stats.go:8 --break stats.go:17");
    await sonde.ask("breakpoint remove 1");
    await sonde.ask("watch total");
    const values: unknown[] = [];
    let result = await sonde.ask<MoveResult>("continue");
    while (result.state === "stopped" && result.snapshot.watches) {
      values.push(...result.snapshot.watches.map((one) => one.new));
      result = await sonde.ask<MoveResult>("continue");
    }
    expect(values).toEqual(["1", "3", "6", "10"]);
    expect(result).toMatchObject({ state: "stopped", snapshot: { frame: { line: 17 } } });
    expect(await sonde.text("watch list")).toMatch(/total.*(gone|lost|returned|ended|frame|scope)/);
  },
);

test("breakpoints set while it runs stop nobody else", slow, async () => {
  const sonde = borrowSonde(builtFolder("go"));
  await sonde.ask("start idle --no-wait");
  await sonde.ask("break idle.go:17");
  await sonde.ask("break -f main");
  expect(await sonde.text("status")).toMatch(/idle +running/);
  await sonde.ask("break -f tick");
  expect(await sonde.ask("await --timeout 10")).toMatchObject({
    state: "stopped",
    snapshot: { frame: { function: "main.tick" } },
  });
});

test(
  "a call that a breakpoint stops ends all the same, and the program stands where it stood",
  slow,
  async () => {
    const { sonde } = await started(
      "package main\n\ntype S struct{ a, b int }\n\nfunc (s S) Total() int {\n\tt := s.a + s.b\n\treturn t\n}\n\nfunc main() {\n\ts := S{1, 2}\n\tp := &s\n\tprintln(p.Total())\n}\n",
      ...["--break", "main.go:13", "--break", "main.go:6"],
    );
    expect((await sonde.refusal(["eval", "s.Total()"])).message).toMatch(
      /^s\.Total\(\): a breakpoint stopped the call at main\.go:6; it ran to its end, and its value is lost/,
    );
    expect(await sonde.ask("print s.a")).toMatchObject({ value: "1" });
    expect(await sonde.ask("print p --depth 1")).toMatchObject({
      children: [{ name: "*", value: "main.S {a: 1, b: 2}" }],
    });
    await sonde.ask("breakpoint disable 2");
    expect(await sonde.ask(["eval", "s.Total()"])).toMatchObject({ value: "3" });
    await sonde.ask("breakpoint enable 2");
    // The next hit is the program's own, and its first.
    expect(await sonde.ask<MoveResult>("continue")).toMatchObject({
      state: "stopped",
      snapshot: { breakpoints: [{ id: 2, hit: 1 }], frame: { line: 6 } },
    });
  },
);

const CUT_SHORT = `package main

import "fmt"

func work(gate, done chan int) {
	n := <-gate
	n++
	fmt.Println(n)
	done <- n
}

func through(gate, done chan int) int {
	gate <- 1
	return <-done
}

func main() {
	gate, done := make(chan int), make(chan int)
	go work(gate, done)
	n := through(gate, done)
	fmt.Println(n)
}
`;

test(
  "a step that dlv does not take is no exception; a continue ends the one that was cut short",
  slow,
  async () => {
    const { sonde } = await started(CUT_SHORT, "--break", "main.go:20", "--break", "main.go:7");
    expect(await sonde.text("next")).toMatch(/^stopped: breakpoint 2 \(hit 1\) {2}main\.go:7 in main\.work/);
    const refused = await sonde.text("next");
    expect(refused).toMatch(/^stopped: step not taken {2}main\.go:7 in main\.work/);
    expect(refused).toMatch(/note: dlv cannot step here: .* continue to finish that one first/);
    expect(refused).not.toMatch(/exception|invalid command/);
    expect(await sonde.text("continue")).toMatch(/^stopped: step {2}main\.go:21 in main\.main/);
    expect(await sonde.text("next")).toMatch(/^stopped: step {2}main\.go:22 /);
  },
);
