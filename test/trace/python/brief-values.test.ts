/** What is looked at briefly, for a hint, shows what is shown otherwise. */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { TEST_ADAPTERS } from "../../support/sonde.ts";

const COMPARE = `
import random, sys
from collections import OrderedDict, deque
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
sys.path.insert(0, sys.argv[2])
from sonde_values import Values

class Plain:
    def __init__(self, **fields): self.__dict__.update(fields)

def made(draw, depth):
    kind = draw.randrange(11 if depth < 4 else 5)
    many = draw.choice((0, 1, 3, 20, 70))
    if kind == 0: return draw.randrange(-10**9, 10**9)
    if kind == 1: return draw.random()
    if kind == 2: return "x'\\n" * draw.randrange(60)
    if kind == 3: return draw.choice((None, True, b"bytes" * many))
    if kind == 4: return frozenset(range(many))
    parts = [made(draw, depth + 1) for _ in range(many if depth < 2 else min(many, 3))]
    if kind == 5: return tuple(parts)
    if kind == 6: return deque(parts)
    if kind == 7: return {str(at): part for at, part in enumerate(parts)}
    if kind == 8: return OrderedDict((at, part) for at, part in enumerate(parts))
    if kind == 9: return Plain(**{"f%d" % at: part for at, part in enumerate(parts)})
    return parts

differ = []
for seed in range(1500):
    value = made(random.Random(seed), 0)
    for chars in (40, 200):
        whole, brief = Values([60, 20], 128, chars), Values([60, 20], 128, chars, True)
        if whole.show(value) != brief.show(value):
            differ.append((seed, chars, whole.show(value), brief.show(value)))
print(len(differ), differ[:2])
`;

test("1,500 values of all kinds", () => {
  const folders = [
    resolve("src/trace/collectors/python-source/recorder"),
    resolve("src/adapters/python/boot"),
  ];
  const python = join(TEST_ADAPTERS, "debugpy/bin/python");
  const { stdout, stderr } = spawnSync(python, ["-c", COMPARE, ...folders], { encoding: "utf8" });
  expect([stdout, stderr]).toEqual(["0 []\n", ""]);
});
