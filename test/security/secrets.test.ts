/** Secrets that pass through us (environment, command lines, output, variables, an agent's calls) are in no file that we leave, and no token of ours is in a command line. */
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { unpacked } from "../diagnostics/report/unpacked.ts";
import { createSonde, type Sonde } from "../support/sonde.ts";

/** Put together here, so that no scanner takes this file for a leak; each is looked for by its middle. */
const middle = (at: number) => `Qz${at}x7Lr9Tb4Xc2Vm8Kd5Hs3Jf6Gp1Ny`.padEnd(34, "w");
const SECRETS = {
  environment: `sk-ant-api03-${middle(0)}`,
  variable: middle(1),
  argument: `ghp_${middle(2)}`,
  output: `Bearer ${middle(3)}`,
  value: `AKIA${middle(4)
    .toUpperCase()
    .replace(/[^A-Z2-7]/g, "Q")
    .slice(0, 16)}`,
  url: `https://user:${middle(5)}@example.com/`,
  header: `sk-ant-api03-${middle(6)}`,
  tool: `glpat-${middle(7).slice(0, 20)}`,
  pass: middle(8),
  pat: middle(9),
  coloured: middle(10),
  died: middle(11),
  watched: middle(12),
};
/** All of them, by a part that no mask may leave. */
const LOOKED_FOR = Object.values(SECRETS).map((secret) => (/Qz\d.{13}/i.exec(secret) ?? [""])[0]);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

function leaksIn(folder: string): string[] {
  const files = filesBelow(folder);
  expect(files.length, folder).toBeGreaterThan(0);
  return files.flatMap((path) => {
    const text = readFileSync(path, "latin1");
    return LOOKED_FOR.filter((secret) => text.includes(secret)).map((secret) => `${path}: ${secret}`);
  });
}

const PROGRAM = `const token = ${JSON.stringify(SECRETS.value)}, url = ${JSON.stringify(SECRETS.url)};
console.log("authorization: ${SECRETS.output}");
console.error(url, process.argv[2], process.env.API_KEY, process.env.SMTP_PASS, process.env.PLAIN_ONE);
const password = ["${SECRETS.watched.slice(0, 9)}", "${SECRETS.watched.slice(9)}"].join("");
console.log("bare", password);
throw new Error("login at " + url + " with " + token);
`;

/** Calls the model once, with its key, the way an agent does; then tells what it was given. */
const AGENT = `#!/usr/bin/env node
const settings = process.argv[process.argv.indexOf("--settings") + 1];
const base = process.env.ANTHROPIC_BASE_URL;
const messages = [
  { role: "user", content: "my key is ${SECRETS.environment}, see ${SECRETS.url}" },
  { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "curl -H 'authorization: ${SECRETS.output}' --db-pass ${SECRETS.pass} x" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "PASSWORD=${SECRETS.variable}\\n${SECRETS.tool} ${SECRETS.value} GH_PAT=${SECRETS.pat}\\n\\u001b[31mtoken\\u001b[0m: ${SECRETS.coloured}" }] },
];
const headers = { "content-type": "application/json", "x-api-key": "${SECRETS.header}", "anthropic-version": "2023-06-01" };
fetch(base + "/v1/messages", { method: "POST", headers, body: JSON.stringify({ model: "m", max_tokens: 1, messages }) })
  .then((answer) => answer.text())
  .then(() => {
    console.log(JSON.stringify({ base, settings, token: process.env.SONDE_AGENT_TOKEN }));
    process.stdin.resume().on("end", () => process.exit());
  });
`;

async function provider(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id: "m1",
        type: "message",
        role: "assistant",
        model: "m",
        content: [{ type: "text", text: SECRETS.output }],
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function runAgent(sonde: Sonde, name: string, env: Record<string, string>) {
  chmodSync(sonde.write(name, AGENT), 0o755);
  const upstream = await provider();
  const child = sonde.spawn(
    ["agent", "run", "--quiet", "--upstream", upstream, "--", `./${name}`, "--api-key", SECRETS.argument],
    { env },
  );
  if (!child.stdout) throw new Error("no pipe");
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const end = async () => {
    child.stdin?.end();
    if (child.exitCode === null) await once(child, "exit");
  };
  onTestFinished(end);
  return { said: JSON.parse(line) as { base: string; settings?: string; token?: string }, end };
}

test("in no log and in no file of an agent's run", { timeout: 90_000 }, async () => {
  const sonde = createSonde();
  const env = {
    API_KEY: SECRETS.environment,
    DB_PASSWORD: SECRETS.variable,
    SMTP_PASS: SECRETS.pass,
    GH_PAT: SECRETS.pat,
    PLAIN_ONE: SECRETS.died,
    SONDE_LOG: "debug",
  };
  sonde.write("app.js", PROGRAM);
  await sonde.run(["start", "app.js", "--env", `SECRET_TOKEN=${SECRETS.variable}`, "--", SECRETS.argument], {
    env,
  });
  await sonde.run(["print", `"${SECRETS.output}"`], { env });
  await sonde.run(["start", "--nonsense", `--token=${SECRETS.argument}`], { env });
  // Ends before there is anything to debug: its last words are in the answer, and not in the log.
  const failed = await sonde.run(
    ["start", "--adapter", "node", "--", "sh", "-c", "echo it was $PLAIN_ONE >&2; exit 3"],
    { env },
  );
  expect(failed.stdout + failed.stderr).toContain(SECRETS.died);
  await sonde.run(["stop", "--all"], { env });
  await sonde.run(["crash", "app.js", "--", SECRETS.argument], { env });
  const { end } = await runAgent(sonde, "claude", env);
  await end();
  await sonde.run(["trace", "--at", "app.js:5", "--watch", "password", "--", "node", "app.js"], { env });
  const { file } = await sonde.ask<{ file: string }>("report --yes --agent", { env });
  await sonde.run("daemon stop", { env });
  expect(LOOKED_FOR.filter((part) => part.length < 16)).toEqual([]);
  expect(leaksIn(join(sonde.home, "state/logs"))).toEqual([]);
  const log = filesBelow(join(sonde.home, "state/logs")).map((path) => readFileSync(path, "utf8"));
  expect(log.join("")).toMatch(/did not start: [A-Z_]+: /);
  expect(leaksIn(join(sonde.home, "state/agents"))).toEqual([]);
  const { tar, text } = unpacked(file);
  expect(LOOKED_FOR.filter((secret) => tar.includes(secret))).toEqual([]);
  expect(text("traces/t1.output.txt")).toContain("bare [masked:");
  // The rest of what was said is there.
  const kept = filesBelow(join(sonde.home, "state/agents")).map((path) => readFileSync(path, "utf8"));
  for (const part of ["my key is ", "curl -H", "PASSWORD="])
    expect(kept.some((text) => text.includes(part))).toBe(true);
});

test("no token of ours is in a command line", { timeout: 60_000 }, async () => {
  const sonde = createSonde();
  const server = sonde.spawn(["mcp", "--http"]);
  onTestFinished(() => void server.kill());
  if (!server.stderr) throw new Error("no pipe");
  const [address] = (await once(createInterface(server.stderr), "line")) as [string];
  const tokens = [new URL(address).searchParams.get("token") ?? ""];
  for (const name of ["claude", "agent"]) {
    const { said } = await runAgent(sonde, name, {});
    tokens.push(new URL(said.base).pathname.slice(1));
  }
  const lines = sonde.processes().map(({ command }) => command);
  expect(lines.length).toBeGreaterThan(3);
  expect(tokens.filter((token) => token.length < 20)).toEqual([]);
  for (const token of tokens) expect(lines.filter((line) => line.includes(token))).toEqual([]);
});
