/** Secrets of many shapes, put wherever a report takes something from: none may be in its bytes. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSonde, type Sonde } from "../../support/sonde.ts";
import { unpacked } from "./unpacked.ts";

/** In two parts each, so that no scanner of repositories takes them for real. */
const join2 = (...parts: string[]) => parts.join("");
/** Letters and digits as no person would choose them; the same each time. */
const random = (seed: string | number, length: number) =>
  `4${createHash("sha512")
    .update(`${seed}`)
    .digest("base64")
    .replace(/[^A-Za-z0-9]/g, "")}`.slice(0, length);

const PEM = (seed: number) =>
  `-----BEGIN ${"PRIVATE"} KEY-----\n${[0, 1, 2].map((at) => random(seed + at, 64)).join("\n")}\n-----END ${"PRIVATE"} KEY-----`;

const ENVIRONMENT = {
  GITHUB_TOKEN: join2("gh", "p_", random(101, 30), "a1b2c3"),
  DB_PASSWORD: "correct-horse-battery",
  AWS_SECRET_ACCESS_KEY: join2("wJalrXUt", "nFEMI/K7MDENG/", random(102, 18)),
  ODD_ONE: `x${random(103, 31)}9`,
  DATABASE_URL: "postgres://app:s3cr3t-in-url@db.example.org/main",
  DEPLOY_KEY_PEM: PEM(1),
  QUOTED_SECRET: 'quo"ted\\back/slash é',
  DB_PASS: "walrus-and-carpenter",
  SMTP_PASS: "jabberwock",
  REDIS_AUTH: "mome-raths",
  DEPLOY_KEY: "slithy-toves-7",
  GH_PAT: "borogoves-outgrabe",
  CACHE_SETTING: "tulgey+wood",
  PLAIN_ONE: "frumious#bandersnatch",
};

/** As a program may print what it was given. */
const FORMS: Record<string, string> = {
  hex: Buffer.from(ENVIRONMENT.PLAIN_ONE).toString("hex"),
  "upper hex": Buffer.from(ENVIRONMENT.PLAIN_ONE).toString("hex").toUpperCase(),
  base64url: Buffer.from(`${ENVIRONMENT.QUOTED_SECRET}`).toString("base64url"),
  ...Object.fromEntries(
    ["", "x:", "app:", "user:"].map((before) => [
      `base64 after ${before}`,
      Buffer.from(`${before}${ENVIRONMENT.PLAIN_ONE}`).toString("base64"),
    ]),
  ),
};

const OF_THE_PROGRAM = {
  STRIPE_SECRET_KEY: join2("sk_", "live_", random(104, 24)),
  ADMIN_PASSWORD: "hunter2x",
};

const ARGV = {
  password: "swordfish-77",
  "api-key": `key-${random(105, 20)}`,
  "db-pass": "snark",
  "x-auth": "boojum-too",
  bare: join2("glp", "at-", random(106, 20)),
  header: `Authorization: Bearer ${random(107, 28)}`,
};

const OUTPUT = {
  aws: join2("AK", "IA", "ZQ7RTWKLMXCVBNYH"),
  jwt: join2("ey", "JhbGciOiJIUzI1NiJ9", ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.", random(108, 30)),
  slack: join2("xo", "xb-", "2401234567-", random(109, 24)),
  google: join2("AI", "za", random(110, 32), "Abc"),
  npm: join2("np", "m_", random(111, 32), "Abcd"),
  address: "https://deploy:pa55-in-output@git.example.org/x.git",
  cookie: `Set-Cookie: session=${random(112, 26)}; Path=/`,
  pem: PEM(9),
  coloured: `\u001b[31mtoken\u001b[0m: ${random(121, 14)}`,
};

const VARIABLES = {
  password: "open-sesame-please",
  apiKey: `K.${random(113, 20)}`,
  accessToken: `nested~${random(114, 18)}`,
  signingSecret: `evaluated!${random(115, 12)}`,
};

/** Named in one place, and bare in another. */
const REPEATED = { agent: "cheshire-in-a-tree", watched: VARIABLES.password };

const AGENT = {
  anthropic: join2("sk-", "ant-", "api03-", random(116, 30)),
  basic: Buffer.from("admin:basic-pass-word").toString("base64"),
  huggingface: join2("h", "f_", random(117, 32), "Abc"),
};

const CONFIG = { API_SECRET: `config/${random(118, 14)}`, token: `tok-${random(119, 16)}` };
const LOG = { openai: join2("sk-", "proj-", random(120, 30)), password: "logged-pass-phrase" };

/** What must not be found; what stands around it may be. */
const PLANTED: Record<string, string> = {
  ...prefixed("environment", {
    ...ENVIRONMENT,
    DATABASE_URL: "s3cr3t-in-url",
    DEPLOY_KEY_PEM: random(2, 64),
  }),
  ...prefixed("program", OF_THE_PROGRAM),
  ...prefixed("argv", { ...ARGV, header: random(107, 28) }),
  ...prefixed("output", {
    ...OUTPUT,
    address: "pa55-in-output",
    cookie: random(112, 26),
    pem: random(10, 64),
    coloured: random(121, 14),
  }),
  // What is in the middle of it, which no other text shares a byte with.
  ...prefixed(
    "form",
    Object.fromEntries(Object.entries(FORMS).map(([name, form]) => [name, form.slice(8, -4)])),
  ),
  ...prefixed("repeated", REPEATED),
  ...prefixed("variable", VARIABLES),
  ...prefixed("agent", AGENT),
  ...prefixed("config", CONFIG),
  ...prefixed("log", LOG),
};

function prefixed(where: string, all: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`${where} ${name}`, value]));
}

const PROGRAM = `
globalThis.signingSecret = ${JSON.stringify(VARIABLES.signingSecret)};
function login(password, apiKey, user) {
  const session = { user, accessToken: ${JSON.stringify(VARIABLES.accessToken)} };
  return session; // stop here
}
for (const line of ${JSON.stringify(Object.values(OUTPUT).filter((text) => !text.includes("PRIVATE")))}) console.log("printed " + line);
console.error(${JSON.stringify(OUTPUT.pem)});
console.log("from the environment: " + process.env.DB_PASSWORD + " " + process.env.ADMIN_PASSWORD + " " + process.env.ODD_ONE);
console.log(JSON.stringify({ nested: JSON.stringify({ text: process.env.QUOTED_SECRET }) }));
for (const name of ["DB_PASS", "SMTP_PASS", "REDIS_AUTH", "DEPLOY_KEY", "GH_PAT", "CACHE_SETTING", "PLAIN_ONE"]) console.log("it is " + process.env[name]);
for (const form of ${JSON.stringify(Object.values(FORMS))}) console.log("or " + form);
console.log("bare: " + ${JSON.stringify(VARIABLES.password)});
login(${JSON.stringify(VARIABLES.password)}, ${JSON.stringify(VARIABLES.apiKey)}, "visible-user");
`;

const RUN = "debug_20261117_101010_abcd";

function plantAgent({ home, project }: Sonde): void {
  const folder = join(home, "state/agents/sessions", RUN);
  mkdirSync(folder, { recursive: true });
  const record = {
    id: RUN,
    pid: 999_999,
    startTime: "2026-11-17T10:10:10.000Z",
    cwd: project,
    route: "proxy",
    version: "0.1.0",
    ended: "clean",
    endTime: "2026-11-17T10:11:00.000Z",
  };
  writeFileSync(join(folder, "session.json"), JSON.stringify(record));
  const event = (seq: number, type: string, data: object) =>
    JSON.stringify({ type, timestamp: record.startTime, sessionId: RUN, seq, at: seq, data });
  const events = [
    event(1, "session_start", { client: "claude", cwd: project }),
    event(2, "user_input", { agent: "main", content: `use ${AGENT.anthropic} please, visible-message` }),
    event(3, "tool_call_start", {
      agent: "main",
      toolId: "t1",
      name: "Bash",
      input: { command: `curl -H 'Authorization: Basic ${AGENT.basic}'` },
    }),
    event(4, "tool_result", {
      agent: "main",
      toolId: "t1",
      name: "Bash",
      content: `HF=${AGENT.huggingface} and ${ENVIRONMENT.DB_PASSWORD}; first ${REPEATED.agent}`,
    }),
    event(5, "user_input", { agent: "main", content: `DB_PASSWORD=${REPEATED.agent}` }),
    event(6, "user_input", { agent: "main", content: `again ${REPEATED.agent}` }),
  ];
  writeFileSync(join(folder, "events.jsonl"), `${events.join("\n")}\n`);
}

function plantLog({ home }: Sonde): void {
  const day = new Date().toISOString();
  mkdirSync(join(home, "state/logs"), { recursive: true });
  const lines = [
    `upstream said ${LOG.openai}`,
    `visible-log password=${LOG.password} ${ENVIRONMENT.ODD_ONE}`,
    `run ["node","app.js","--password",${JSON.stringify(ARGV.password)}]`,
  ].map((message) => JSON.stringify({ time: day, level: "info", pid: 1, kind: "daemon", message }));
  writeFileSync(join(home, "state/logs", `sonde-${day.slice(0, 10)}.log`), `${lines.join("\n")}\n`);
}

describe("a report", () => {
  test("has none of 30 planted secrets in its bytes, packed or unpacked", { timeout: 60_000 }, async () => {
    expect(Object.keys(PLANTED).length).toBeGreaterThanOrEqual(30);
    const sonde = createSonde();
    sonde.config(
      `[adapters.mine]\ncommand = "true"\nfile_types = [".mine"]\nargs = ["--token", "${CONFIG.token}"]\n\n[adapters.mine.env]\nAPI_SECRET = "${CONFIG.API_SECRET}"\n`,
    );
    plantLog(sonde);
    plantAgent(sonde);
    sonde.write("app.js", PROGRAM);
    const env = { ...ENVIRONMENT };
    const stop = PROGRAM.split("\n").findIndex((line) => line.includes("stop here")) + 1;
    const started = await sonde.text(
      [
        ...["start", "app.js", "--break", `app.js:${stop}`],
        ...Object.entries(OF_THE_PROGRAM).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
        ...["--", "--password", ARGV.password, `--api-key=${ARGV["api-key"]}`, ARGV.bare, ARGV.header],
        ...["--db-pass", ARGV["db-pass"], "--x-auth", ARGV["x-auth"]],
      ],
      { env },
    );
    expect(started).toContain("visible-user");
    await sonde.text(["print", "signingSecret"], { env });
    await sonde.text(["trace", "--at", `app.js:${stop}`, "--watch", "password", "--", "node", "app.js"], {
      env,
    });
    const answer = await sonde.run(["report", "--yes", "--agent", "--json"], { env });
    const { data } = JSON.parse(answer.stdout) as { data: { file: string; parts: { name: string }[] } };
    const { packed, tar, files, text } = unpacked(data.file);

    const found = Object.entries(PLANTED).filter(([, secret]) =>
      [...files.values(), packed, tar, Buffer.from(answer.stdout)].some((bytes) => bytes.includes(secret)),
    );
    const where = found.map(([name, secret]) => [
      name,
      [...files].filter(([, bytes]) => bytes.includes(secret)).map(([file]) => file),
    ]);
    expect(where).toEqual([]);

    // It is no empty bundle that holds no secrets.
    for (const [name, word] of Object.entries({
      "session/output.txt": "printed [masked:",
      "session/snapshot.json": "visible-user",
      "session/protocol.log": '"command":"variables"',
      "session/session.json": "app.js",
      "log.txt": "visible-log",
      "config.toml": "[adapters.mine]",
      "traces/t1.jsonl": "[masked:variable:0000]",
      "traces/t1.output.txt": "bare: [masked:",
      [`agent/${RUN}/events.jsonl`]: "visible-message",
      [`agent/${RUN}/transcript.txt`]: "visible-message",
    }))
      expect([name, text(name)]).toEqual([name, expect.stringContaining(word)]);
  });
});
