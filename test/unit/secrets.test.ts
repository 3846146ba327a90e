import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSecrets, Masker, maskSecrets } from "../../src/util/secrets/mask.ts";
import { secretName } from "../../src/util/secrets/names.ts";

/** Made up, and put together here, so that no scanner takes this file for a leak. */
function made(prefix: string, length: number, alphabet = "base64url"): string {
  const text = createHash("sha512").update(prefix).digest("base64url").replace(/[-_]/g, "x").repeat(2);
  return (
    prefix + (alphabet === "upper" ? text.toUpperCase().replace(/[^A-Z2-7]/g, "Q") : text).slice(0, length)
  );
}

const SHAPED: Record<string, string> = {
  "anthropic-key": made("sk-ant-api03-", 80),
  "openai project": made("sk-proj-", 60),
  openai: made("sk-", 48),
  stripe: made("sk_live_", 24),
  "github classic": made("ghp_", 36),
  "github fine": made("github_pat_", 60),
  gitlab: made("glpat-", 20),
  slack: `xoxb-123456789012-${made("", 24)}`,
  "aws id": made("AKIA", 16, "upper"),
  google: made("AIza", 35),
  jwt: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${made("", 43)}`,
  npm: made("npm_", 36),
  huggingface: made("hf_", 34),
  sendgrid: `SG.${made("", 22)}.${made("b", 42)}`,
  telegram: `123456789:AA${made("", 33)}`,
  groq: made("gsk_", 48),
};

describe("secrets that are known by their shape", () => {
  for (const [kind, secret] of Object.entries(SHAPED))
    test(kind, () => {
      for (const text of [
        secret,
        `use ${secret} please`,
        `X=${secret}`,
        JSON.stringify({ output: `line\n${secret}\nline` }),
        JSON.stringify(JSON.stringify({ text: `a\t${secret}` })),
        `https://host/path?k=${secret}&x=1`,
      ]) {
        const { text: masked, masked: count } = maskSecrets(text);
        expect(count).toBeGreaterThanOrEqual(1);
        expect(masked).not.toContain(secret.slice(8, 28));
        expect(masked).toMatch(/\[masked:[a-z-]+:[0-9a-f]{4}\]/);
      }
    });

  test("a private key, whole, escaped, and torn", () => {
    const lines = Array.from({ length: 20 }, (_, at) => made(`k${at}`, 60));
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${lines.join("\n")}\n-----END RSA PRIVATE KEY-----`;
    const torn = pem.slice(0, 600);
    for (const text of [
      pem,
      JSON.stringify({ pem }),
      JSON.stringify(JSON.stringify({ pem })),
      JSON.stringify({ torn }),
    ]) {
      const masked = maskSecrets(text).text;
      for (const line of lines) expect(masked).not.toContain(line);
      expect(masked).toContain("[masked:private-key:");
      if (text.startsWith("{")) JSON.parse(masked);
    }
  });
});

describe("secrets that are known by what stands before them", () => {
  const cases: [string, string][] = [
    ["authorization: Bearer abcdefgh12345678", "abcdefgh"],
    ["Authorization: Basic dXNlcjpodW50ZXIy", "dXNlcjpo"],
    ['{"x-api-key":"plain words here"}', "plain words"],
    ["x-api-key: 0123456789abcdef", "0123456789"],
    ["Cookie: session=abc123; theme=dark\r\nHost: x", "abc123"],
    ['"set-cookie": "sid=s%3Aabc; HttpOnly"', "s%3Aabc"],
    ['{"password":"hunter2"}', "hunter2"],
    ['{"password" : "with \\"quotes\\" in it"}', "quotes"],
    ['{\\"password\\":\\"hunter2\\"}', "hunter2"],
    ["DB_PASSWORD=hunter2", "hunter2"],
    ["export AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXU"],
    ["password: correct-horse-9", "correct-horse"],
    ["mysql --password hunter22 -u root", "hunter22"],
    ["tool --api-key=abcdef123456", "abcdef123456"],
    ["postgres://admin:s3cr3t@db.example.com:5432/x", "s3cr3t"],
    ["client_secret=abcdef0123456789&grant=x", "abcdef0123"],
    ["//registry.example.com/:_authToken=abcdef0123456789", "abcdef0123"],
    ["headers['x-auth-token'] = 'abcdef0123456789'", "abcdef0123"],
    ["AccountKey=abcdefghijklmnop0123456789+/==;Endpoint=x", "abcdefghijkl"],
    ['{"refresh_token": "1//0gabcdefghijkl"}', "0gabcdefghijkl"],
    ['{"name":"password","value":"hunter2"}', "hunter2"],
    [`{"name":"'password'","type":"str","value":"'hunter2'"}`, "hunter2"],
    ['{"evaluateName":"user.apiKey","name":"x","type":"char *","value":"0x55 \\"hunter2\\""}', "hunter2"],
    [JSON.stringify(JSON.stringify({ name: "password", value: "hunter2" })), "hunter2"],
    ['{"expression":"session.token","result":"abcdef012345"}', "abcdef"],
    ['["node","app.js","--password","hunter2"]', "hunter2"],
    ['["--password",\n    "hunter2"]', "hunter2"],
    [JSON.stringify(JSON.stringify(["--api-key", "abcdef123456"])), "abcdef"],
    ["DB_PASS=walrus-9", "walrus-9"],
    ["REDIS_AUTH=walrus-99x", "walrus-99"],
    ["DEPLOY_KEY=walrus-99x", "walrus-99"],
    ["deploy_key: walrus-99x", "walrus-99"],
    ['{"GH_PAT":"walrus-99x"}', "walrus-99"],
    ["CARD_PIN=482190", "482190"],
    ["tool --db-pass walrus --x 1", "walrus"],
    ['["--smtp-auth","walrus-99"]', "walrus-99"],
    ['{"dbPass":"walrus"}', "walrus"],
    ['auth: { user: "a", pass: "walrus" }', "walrus"],
    ["\u001b[31mtoken\u001b[0m: walrus-99x", "walrus"],
    ["\u001b[1;31mDB_PASS\u001b[0m=\u001b[32mwalrus-99x\u001b[0m done", "walrus"],
    [JSON.stringify("\u001b[31mtoken\u001b[0m: \u001b[32mwalrus-99x\u001b[39m"), "walrus"],
  ];
  for (const [text, secret] of cases)
    test(text, () => {
      const masked = maskSecrets(text);
      expect(masked.text).not.toContain(secret);
      expect(masked.masked).toBeGreaterThanOrEqual(1);
    });

  test("what stands around them stays", () => {
    expect(maskSecrets("a?client_secret=abcdef0123456789&grant=x").text).toMatch(
      /^a\?client_secret=\[masked:secret:[0-9a-f]{4}\]&grant=x$/,
    );
    expect(maskSecrets("postgres://admin:s3cr3t@db:5432/x").text).toMatch(
      /^postgres:\/\/admin:\[masked:url-password:[0-9a-f]{4}\]@db:5432\/x$/,
    );
  });
});

describe("what is no secret stays as it is", () => {
  for (const text of [
    '{"max_tokens":1024,"input_tokens":12,"stop_reason":"end_turn"}',
    '{"password":{"type":"string","description":"The password"}}',
    "const token = await getToken(request);",
    "password = getpass.getpass()",
    "token: string; secret?: string",
    "if (token === '(') next();",
    "PWD=/home/user/project",
    "the task-management-and-scheduling-board-2024 branch",
    "risk-assessment-2024-final-version",
    "nextPageToken: abcdef0123456789",
    "git@github.com:owner/repo.git",
    "http://localhost:3000/@scope/package",
    "mail someone@example.com: it works",
    '"signature":"EqQBCkYIBxgCKkDw0123456789abcdefghijklmnopqrstuvwxyz+/=="',
    '"id":"toolu_01A09q90qw90lq917835lq9","name":"Bash"',
    "bearer of good news",
    "Basic understanding of things",
    "export TOKEN=$GITHUB_TOKEN",
    "cookie: a small file",
    "a -b --token",
    '["--token","--verbose"]',
    '{"name":"count","value":"twelve of them"}',
    '{"name":"password"},{"name":"user","value":"somebody"}',
    '{"key":"the name of it","cache_key":"abcdef0123456789","primary_key":"customer_id"}',
    '{"sortKey":"created_at","publicKey":"abcdef0123456789","keyPath":"a.b.c.d.e.f"}',
    "PASS: test/login/with-words.test.js",
    "FIRST_PASS=constant-folding LED_PIN=GPIO13 name_pat=[a-z]+",
    "\u001b[32mitem\u001b[0m: walrus-99x",
    "sessionId: debug_20260123_131000_abc1",
    "hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  ])
    test(text, () => expect(maskSecrets(text)).toEqual({ text, masked: 0 }));
});

test("equal secrets get equal masks, under one key only, and a mask is not masked again", () => {
  const secret = made("ghp_", 36);
  const masker = new Masker();
  const once = masker.mask(`a ${secret} b ${secret} c ${made("gho_", 36)}`).text;
  const masks = once.match(/\[masked:[^\]]+\]/g) ?? [];
  expect(masks).toHaveLength(3);
  expect(masks[0]).toBe(masks[1]);
  expect(masker.mask(once)).toEqual({ text: once, masked: 0 });
  const named = masker.mask(`{"password":"hunter2"}`).text;
  expect(masker.mask(named).text).toBe(named);
  const others = Array.from({ length: 8 }, () => new Masker().mask(secret).text);
  expect(new Set(others).size).toBeGreaterThan(1);
});

test("names of headers, keys, variables and options", () => {
  const yes =
    "Authorization x-api-key x-goog-api-key set-cookie DB_PASSWORD clientSecret GITHUB_TOKEN --token apiKey privateKey credentials DB_PASS SMTP_PASS REDIS_AUTH DEPLOY_KEY GH_PAT CARD_PIN HASH_SALT SENTRY_DSN --db-pass --x-auth deploy_key";
  const no =
    "max_tokens tokens pwd key cookieless sessionId nextPageToken signature prompt_cache_key eos_token name primaryKey sort_key CACHE_KEY auth pat pin salt compass oauth first_pass";
  for (const name of yes.split(" ")) expect([name, secretName(name)]).not.toEqual([name, undefined]);
  for (const name of no.split(" ")) expect([name, secretName(name)]).toEqual([name, undefined]);
});

test("JSON text stays JSON text, with the same keys", () => {
  const secret = fc.constantFrom(...Object.values(SHAPED), "Bearer abcdefgh12345678", "hunter2");
  const text = fc.tuple(fc.string(), secret, fc.string()).map(([a, b, c]) => `${a}${b}${c}`);
  const key = fc.oneof(
    fc.string(),
    fc.constantFrom("password", "x-api-key", "authorization", "token", "cookie"),
  );
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      text,
      fc.integer(),
      tie("object"),
      tie("list"),
      tie("nested"),
    ),
    object: fc.dictionary(key, tie("value")),
    list: fc.array(tie("value")),
    nested: tie("value").map((value) => JSON.stringify(value)),
  })).object;
  fc.assert(
    fc.property(tree, (value) => {
      const json = JSON.stringify(value);
      const masked: unknown = JSON.parse(maskSecrets(json).text);
      expect(Object.keys(masked as object).length).toBe(Object.keys(value as object).length);
    }),
    { numRuns: 500 },
  );
});

function secondsFor(text: string): number {
  const began = process.cpuUsage();
  findSecrets(text);
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1e6;
}

describe("no text takes longer than its length", () => {
  const size = 2_000_000;
  for (const unit of [
    "a",
    '"',
    "sk-",
    "eyJ",
    "eyJaaaaaaaaa.",
    "\\",
    "://a:",
    "@",
    "token=",
    "token=a ",
    'token="',
    "password: ",
    "Bearer ",
    "-----BEGIN ",
    "--token ",
    '"--token","',
    '"value":',
    '{"name":"a","value":',
    '"name":"a","value":',
    "1",
    "ghp_",
    "xai-",
    "\u001b[0m",
    "0m:",
    "token\u001b[0m:\u001b[0m",
    "\\u001b[0m:",
    "DB_PASS=",
    "é",
  ])
    test(JSON.stringify(unit), () => {
      const text = unit.repeat(size / unit.length);
      // What takes the square of the length takes seconds here already, and is not waited for any longer.
      expect(secondsFor(text.slice(0, 100_000))).toBeLessThan(1);
      // A tenth of a microsecond for a character would be 0.2 seconds.
      expect(secondsFor(text)).toBeLessThan(1.5);
    });
});
