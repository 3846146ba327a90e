/** The same plan by stops of the debugger and by the recorder gives the same record. */
import { expect, test } from "vitest";
import type { Recorded } from "../support.ts";
import { type Place, Programs } from "./rig.ts";

async function both(programs: Programs, places: Place[]): Promise<[Recorded, Recorded]> {
  const plain = await programs.record(places, { collector: "stops", frames: 4 });
  const own = await programs.record(places, { frames: 4 });
  return [plain, own];
}

function comparable({ points, counts, end, stdout, stderr }: Recorded) {
  return {
    points: points.map(({ point, hit, values, frames, thread }) => ({ point, hit, values, frames, thread })),
    counts,
    end,
    stdout,
    stderr,
  };
}

const VALUES = [
  "None",
  "True",
  "-1",
  "10 ** 30",
  "1.5",
  "float('nan')",
  "'text'",
  '"it\'s"',
  "'\\n\\u00e9\\U0001f600'",
  "b'bytes'",
  "'x' * 300",
  "'x' * 70000",
  "b'y' * 70000",
  "['x' * 200]",
  '["\'" * 200]',
  "[b'z' * 200]",
  "[]",
  "()",
  "(1,)",
  "set()",
  "frozenset()",
  "{1}",
  "frozenset({2})",
  "{}",
  "{'a': [1, {'b': (2,)}]}",
  "list(range(59))",
  "list(range(60))",
  "list(range(61))",
  "tuple(range(100))",
  "[list(range(30))]",
  "[[[[1]]]]",
  "[[[]]]",
  "dict.fromkeys(range(100))",
  "{'k' * 200: 'v' * 200}",
  "{1: dict.fromkeys(range(30))}",
  "bytearray(b'ab')",
  "bytearray(300)",
  "range(1000)",
  "[range(3)]",
  "collections.deque([1, 2], 5)",
  "collections.OrderedDict(a=1, b=[2])",
  "collections.defaultdict(int, a=1)",
  "collections.Counter('aab')",
  "collections.Counter(range(100))",
  "Pair(1, 'two')",
  "Pair('x' * 300, 2)",
  "[Pair(1, 2)]",
  "Bad()",
  "[Bad()]",
  "Worse()",
  "Named()",
  "[Named()]",
  "loop_list",
  "loop_dict",
  "type('T', (list,), {})([1, 2])",
  "int",
  "len",
  "Named.__repr__.__name__",
  "ValueError('bad')",
  "...",
  "1 + 2j",
  "memoryview(b'abc').nbytes",
  "iter([]).__length_hint__()",
  "undefined",
  "1 / 0",
  "[x for x in (1, 2)]",
  "sorted({3, 1})",
  "10 ** 5000",
  "'a' 'b'",
  '"""x\ny"""',
];

test("values of every kind", async () => {
  const programs = new Programs(`import collections
Pair = collections.namedtuple("Pair", "left right")
class Bad:
    def __repr__(self):
        raise ValueError("no words")
    __class__ = property(lambda self: Bad)
class Worse(Exception):
    __slots__ = ()
    def __repr__(self):
        return "w" * 70000
class Named:
    def __repr__(self):
        return "<named " + "n" * 200 + ">"
loop_list = [1]
loop_list.append(loop_list)
loop_dict = {}
loop_dict["self"] = loop_dict
done = 1  # @marker here
`);
  const [plain, own] = await both(programs, [{ at: "here", read: VALUES }]);
  const stable = (text: string | undefined) => text?.replace(/0x[0-9a-f]+/g, "0x");
  const rows = (record: Recorded) =>
    VALUES.map((name, i) => `${name.slice(0, 60)} = ${stable(record.points[0]?.values[i])}`);
  expect(rows(own)).toEqual(rows(plain));
  expect(rows(own).filter((row) => row.endsWith("= <unavailable>"))).toHaveLength(2);
});

const PLACES = `import functools, json, threading

class Cart:
    limit = 3  # @marker class
    @staticmethod  # @marker decorator
    def add(a, b):
        return a + b  # @marker static

def hook(pairs):
    return dict(pairs)  # @marker hook

def recursive(n):
    if n == 0:  # @marker if
        return 0
    return recursive(n - 1) + 1  # @marker recursive

def numbers():
    for i in range(3):  # @marker for
        yield i  # @marker yield

def catching():
    try:
        raise KeyError("k")
    except KeyError as error:  # @marker except
        return str(error)  # @marker handler
    finally:
        done = True  # @marker finally

def looping():
    n = 0
    while n < 2:  # @marker while
        n += 1
        if n == 1: continue  # @marker oneline
    with open("/dev/null") as file:  # @marker with
        n = 9
    for n in (1, 2): pass  # @marker forline
    return n  # @marker return

value = functools.reduce(  # @marker several
    Cart.add,
    [1, 2],  # @marker inner
)
json.loads('{"a": 1}', object_pairs_hook=hook)
recursive(2)
list(numbers())
catching()
looping()
key = (lambda v: v + 1)(1)  # @marker lambda
thread = threading.Thread(target=recursive, args=(0,), name="worker")
thread.start()
thread.join()
raise SystemExit(5)  # @marker end
`;

test("places of every kind: hits, frames, threads, the end", async () => {
  const programs = new Programs(PLACES);
  const names = [...PLACES.matchAll(/@marker (\w+)/g)].map(([, name = ""]) => name);
  const [plain, own] = await both(
    programs,
    names.map((at) => ({ at, read: ["sorted(k for k in locals() if len(k) == 1)"] })),
  );
  const counts = (record: Recorded) => Object.fromEntries(names.map((name, i) => [name, record.counts[i]]));
  expect(Object.entries(counts(own)).filter(([, count]) => !count)).toEqual([]);
  expect(counts(own)).toEqual(counts(plain));
  expect(comparable(own)).toEqual(comparable(plain));
});
