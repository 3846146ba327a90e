import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withoutEnvironment } from "../../../src/diagnostics/report/environment-fields.ts";
import { KnownValues, looksRandom } from "../../../src/diagnostics/report/known-values.ts";
import { learn } from "../../../src/diagnostics/report/learning.ts";
import { Redaction } from "../../../src/diagnostics/report/redaction.ts";
import { Redactor } from "../../../src/diagnostics/report/redactor.ts";

const TOKEN = ["gh", "p_Zq7Rt2Wk9Lm4Xc8Vb3Ny6Hs1Jd5Pf0Ga"].join("");
const KEY = `-----BEGIN ${"RSA PRIVATE"} KEY-----\n${"MIIEpAIBAAKCAQEA7bq\n".repeat(40)}-----END ${"RSA PRIVATE"} KEY-----`;
const KNOWN = "correct horse battery";
const IDENTITY = { home: "/home/alice", users: ["alice"], hosts: ["wonder.example.org"] };

function redactor(): Redactor {
  const known = new KnownValues();
  known.add(KNOWN, "environment");
  return new Redactor(known, IDENTITY);
}

function redact(parts: readonly Buffer[]): Buffer {
  const redaction = new Redaction(redactor());
  return Buffer.concat([...parts.map((part) => redaction.push(part)), redaction.end()]);
}

/** A text larger than what is looked at at once, with this somewhere in it. */
function around(secret: string, at: number): Buffer {
  return Buffer.from(
    `${"plain words and more. ".repeat(30_000).slice(0, at)}\n${secret}\n${"the rest ".repeat(6000)}`,
  );
}

function cutInto(bytes: Buffer, size: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return parts;
}

describe("redaction of text in parts", () => {
  test("a secret across two parts is not missed, wherever it lies", () => {
    const secrets = {
      token: TOKEN,
      named: "password = s3cr3t-words-here",
      address: "https://me:s3cr3t-words-here@example.org",
      known: `says ${KNOWN}!`,
      key: KEY,
      json: `{"name":"password","type":"str","value":"'s3cr3t-words-here'"}`,
      list: `["--password", "s3cr3t-words-here"]`,
      bearer: "authorization: Bearer s3cr3t-words-here-0123456789",
    };
    for (const [kind, secret] of Object.entries(secrets))
      for (const edge of [256 << 10, 304 << 10])
        for (const before of [
          0,
          1,
          7,
          secret.length >> 1,
          secret.length - 1,
          secret.length,
          secret.length + 1,
        ]) {
          const out = redact(cutInto(around(secret, edge - before), 64 << 10)).toString();
          for (const part of ["s3cr3t-words-here", TOKEN, KNOWN, "MIIEpAIBAAKCAQEA7bq"])
            expect([kind, edge, before, out.includes(part)]).toEqual([kind, edge, before, false]);
        }
  });

  test("parts of any size give the same bytes as the whole", () => {
    const words = fc.constantFrom(
      TOKEN,
      KNOWN,
      KEY,
      "/home/alice/x",
      "alice",
      "plain",
      "\n",
      " ",
      '"',
      "password=hunter2x",
      "é",
      "\u{1f600}",
    );
    fc.assert(
      fc.property(
        fc.array(words, { maxLength: 60 }),
        fc.integer({ min: 1, max: 70_000 }),
        fc.integer({ min: 0, max: 300_000 }),
        (all, size, filler) => {
          const bytes = Buffer.from(
            `${"f ".repeat(filler / 2)}${all.join("")}${"g ".repeat(30_000)}${all.join(" ")}`,
          );
          expect(redact(cutInto(bytes, size)).equals(redact([bytes]))).toBe(true);
        },
      ),
      { numRuns: 30 },
    );
  });

  test("bytes that are no text stay as they are", () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, at) => (at * 7919) % 256));
    const out = redact(cutInto(bytes, 1000));
    expect(out.equals(bytes)).toBe(true);
  });

  test("a word without an end is taken out whole, in bounded memory", () => {
    const parts = [
      Buffer.from(`before ${TOKEN}`),
      ...Array.from({ length: 600 }, () => Buffer.alloc(16 << 10, "x")),
      Buffer.from(" after"),
    ];
    const out = redact(parts).toString();
    expect(out).toBe("before [masked:github-token:0001] after");
  });

  test("home, user and host are not in it", () => {
    const out = redact([
      Buffer.from('/home/alice/a /home/alice-2 bob@wonder (alice) malice wonder.example.org "/home/alice"'),
    ]);
    expect(out.toString()).toBe('~/a /home/[user]-2 bob@[host] ([user]) malice [host] "~"');
  });

  test("the same secret has the same number, another one another", () => {
    const other = TOKEN.replace("Zq7", "Aa1");
    expect(redact([Buffer.from(`${TOKEN} ${other} ${TOKEN}`)]).toString()).toBe(
      "[masked:github-token:0001] [masked:github-token:0002] [masked:github-token:0001]",
    );
  });
});

describe("environments in protocol messages", () => {
  test("keep the values of allowed names only", () => {
    const message = `-> ${JSON.stringify({ arguments: { env: { PATH: "/bin", ANY: 'v"al', EMPTY: "" }, args: ["a"] } })}`;
    const { text, removed } = withoutEnvironment(message);
    expect(removed).toBe(2);
    const { arguments: args } = JSON.parse(text.slice(3)) as {
      arguments: { env: Record<string, string>; args: string[] };
    };
    expect(args.env).toEqual({
      PATH: "/bin",
      ANY: "[masked:environment:0000]",
      EMPTY: "[masked:environment:0000]",
    });
    expect(args.args).toEqual(["a"]);
  });

  test("as lists of words, too", () => {
    const { text } = withoutEnvironment('{"environment":["PATH=/bin","ANY=value","odd"],"x":1}');
    expect(JSON.parse(text)).toEqual({
      environment: ["PATH=/bin", "ANY=[masked:environment:0000]", "[masked:environment:0000]"],
      x: 1,
    });
  });

  test("a message that is cut off anywhere shows none of them", () => {
    const message = JSON.stringify({
      env: { PATH: "/bin", ANY: "not-to-be-seen", MORE: "nor-this-one" },
      after: 1,
    });
    for (let length = 1; length < message.length; length++) {
      const { text } = withoutEnvironment(message.slice(0, length));
      expect([length, /not-to|nor-th/.test(text)]).toEqual([length, false]);
    }
  });
});

describe("values of an environment", () => {
  const shown = (env: Record<string, string>) => {
    const known = new KnownValues();
    known.addEnvironment(env);
    const redactor = new Redactor(known, IDENTITY);
    return Object.values(env).map((value) => redactor.text(`says (${value})`) === `says (${value})`);
  };

  test("are known unless they are ordinary, whatever their name is", () => {
    for (const value of ["tulgey+wood", "walrus-9", "a1b2c3", "Pa55word", "two words", "QzxLrTbXcV"])
      expect([value, ...shown({ ODD_ONE: value })]).toEqual([value, false]);
  });

  test("are known by a name that says so, even if they are ordinary", () => {
    for (const name of [
      "DB_PASS",
      "SMTP_PASS",
      "REDIS_AUTH",
      "DEPLOY_KEY",
      "GH_PAT",
      "CARD_PIN",
      "HASH_SALT",
      "SENTRY_DSN",
    ])
      for (const value of ["walrus", "482190"])
        expect([name, value, ...shown({ [name]: value })]).toEqual([name, value, false]);
  });

  test("stay if they are a path, a number, a word, a URL without a login, or said elsewhere", () => {
    const env = {
      A_PATH: "/opt/tools/bin:/usr/lib/x86_64-linux-gnu",
      A_FOLDER: "~/projects/sonde",
      A_NUMBER: "20261117",
      A_VERSION: "v22.11.0",
      A_WORD: "development",
      A_URL: "https://example.org/a/b?page=2",
      TERM: "xterm-256color",
      MY_TERM: "xterm-256color",
    };
    expect(shown(env)).toEqual(Object.values(env).map(() => true));
  });

  test("are found in hexadecimal and in base64, wherever they begin in it", () => {
    const value = "frumious#bandersnatch";
    const known = new KnownValues();
    known.addEnvironment({ ODD_ONE: value });
    const redactor = new Redactor(known, IDENTITY);
    const encoded = ["", "a", "ab", "abc", "app:"].flatMap((before) =>
      ["", "z", "zz", "\u00ff\u00fe"].flatMap((after) =>
        (["hex", "base64", "base64url"] as const).map((form) =>
          Buffer.from(before + value + after).toString(form),
        ),
      ),
    );
    for (const text of encoded) {
      const out = redactor.text(`x ${text} y`);
      expect(out).toContain("[masked:environment:");
      expect(out).not.toContain(text.slice(12, 24));
    }
  });
});

describe("a first look that only learns", () => {
  test("finds a name's value wherever parts are cut, for other parts", async () => {
    const edge = (256 << 10) + (48 << 10) + (2 << 10);
    for (const place of [0, 256 << 10, edge - 30, edge - 10, edge, edge + 10, 2 * edge])
      for (const size of [1 << 10, 64 << 10, 1 << 20]) {
        const known = new KnownValues();
        const bytes = around("DB_PASSWORD=walrus-and-carpenter", place);
        const item = { name: "a", kind: "text" as const, open: () => cutInto(bytes, size) };
        await learn([item], known, new AbortController().signal);
        const out = new Redactor(known, IDENTITY).text("it is walrus-and-carpenter.");
        expect([place, size, out]).toEqual([place, size, "it is [masked:password:0001]."]);
      }
  });

  test("many secrets that begin alike cost no more than others", async () => {
    const text = Array.from({ length: 5000 }, (_, at) => `password=aaaaaa${at}x`).join("\n");
    const known = new KnownValues();
    known.learn(text);
    const began = process.cpuUsage();
    known.find("a".repeat(500_000));
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});

describe("values that look random", () => {
  test.each([
    ["8f14e45fceea167a5a36dedd4bea2543", true],
    ["/usr/local/lib/node_modules/x/y/z1", false],
    ["xterm-256color", false],
    ["the-name-of-a-service-in-words", false],
    ["a1".repeat(30), false],
  ])("%s", (value, expected) => {
    expect(looksRandom(value)).toBe(expected);
  });
});
