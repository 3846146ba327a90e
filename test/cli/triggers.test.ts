/** `--run`: a command that sets off what is looked at in a running process, once everything is in place. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { borrowSonde, type Sonde } from "../support/sonde.ts";

const NODE = `const http = require("node:http");
let asked = 0;
function handle(req, res) {
  if (req.url.startsWith("/cart")) asked++; else if (req.url === "/quit") process.exit();
  res.end(\`asked \${asked}\\n\`);
}
http.createServer(handle).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
`;

const PYTHON = `import http.server
class Handler(http.server.BaseHTTPRequestHandler):
    asked = 0
    def do_GET(self):
        Handler.asked += 1
        self.send_response(200); self.end_headers()
        self.wfile.write(b"asked %d" % Handler.asked)
    def log_message(self, *a): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
`;

async function server(sonde: Sonde, command: string, file: string, text: string) {
  sonde.write(file, text);
  const child = sonde.program(command, [file]);
  const [port] = (await once(child.stdout ?? child, "data")) as [Buffer];
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${String(port).trim()}` };
}

/** Without a tool that may not be there. */
const asking = (url: string, times: number) =>
  `node -e 'const go = async () => { for (let i = 0; i < ${times}; i++) console.log(await (await fetch("${url}/cart")).text()) }; go()'`;

interface Traced {
  trace: { seen: number; end: { how: string }; seconds: number };
  hits: { values: string[] }[];
  triggered?: { command: string; exitCode?: number; lines: string[]; errors?: string[] };
}

for (const [command, file, text, line, value] of [
  ["node", "server.js", NODE, 5, "asked"],
  ["python3", "server.py", PYTHON, 7, "Handler.asked"],
] as const)
  test(`trace --pid --run ends with the command (${file})`, async () => {
    const sonde = borrowSonde();
    const { pid, url } = await server(sonde, command, file, text);
    const other = await server(sonde, command, file, text);
    const watch = ["--at", `${file}:${line}=${value}`, "--max-seconds", "60"];
    const all = await sonde.ask<Traced>(["trace", "--pid", String(pid), ...watch, "--run", asking(url, 3)], {
      timeoutMs: 60_000,
    });
    expect(all.hits.map(({ values }) => values[0]).slice(-3)).toEqual(["1", "2", "3"]);
    expect(all.triggered?.exitCode).toBe(0);
    expect(all.triggered?.lines.at(-1)).toBe("asked 3");
    expect(all.trace.end.how).toBe("left");
    const some = await sonde.ask<Traced>(
      ["trace", "--pid", String(other.pid), ...watch, "--hits", "2", "--run", asking(other.url, 5)],
      { timeoutMs: 60_000 },
    );
    expect(some.trace.seen).toBe(2);
    expect(some.triggered?.command).toContain(other.url);
  });

test("a Python server that waits is recorded again and again, and can be attached to afterwards", async () => {
  const sonde = borrowSonde();
  const { pid, url } = await server(sonde, "python3", "server.py", PYTHON);
  const words = ["trace", "--pid", String(pid), "--at", "server.py:7=Handler.asked", "--max-seconds", "60"];
  for (const round of [0, 1, 2]) {
    const { hits } = await sonde.ask<Traced>([...words, "--run", asking(url, 2)], { timeoutMs: 60_000 });
    expect(hits.map(({ values }) => values[0])).toEqual([String(2 * round + 1), String(2 * round + 2)]);
  }
  const stopped = await sonde.text([
    "attach",
    String(pid),
    "--break",
    "server.py:7",
    "--run",
    asking(url, 1),
  ]);
  expect(stopped).toContain("server.py:7");
  expect(await sonde.text("print Handler.asked")).toContain("7");
  await sonde.text("detach");
});

test("attach --run answers with the stop that the command leads to, or with its end", async () => {
  const sonde = borrowSonde();
  const { pid, url } = await server(sonde, "node", "server.js", NODE);
  const stopped = await sonde.text([
    "attach",
    String(pid),
    "--break",
    "server.js:4 if req.url === '/cart'",
    "--run",
    asking(url, 1),
  ]);
  expect(stopped).toContain("stopped: breakpoint");
  expect(stopped).toContain("server.js:4");
  await sonde.text("continue --no-wait");
  await sonde.text("stop");
  const none = await sonde.text(["attach", String(pid), "--break", "server.js:7", "--run", asking(url, 1)]);
  expect(none).toContain("exit code 0, and nothing stopped");
});

test("a command that cannot be run is an error, and --run needs a process", async () => {
  const sonde = borrowSonde();
  const { pid } = await server(sonde, "node", "server.js", NODE);
  const words = ["trace", "--pid", String(pid), "--at", "server.js:5=asked"];
  const failed = await sonde.ask<Traced>([...words, "--run", "no-such-command-here"]);
  expect(failed.triggered?.exitCode).toBe(127);
  const refused = await sonde.refusal([
    "trace",
    "--at",
    "server.js:5",
    "--run",
    "true",
    "--",
    "node",
    "server.js",
  ]);
  expect(refused.message).toContain("--run belongs to --pid");
});

test("what the command prints is told by stream, and that it still ran", async () => {
  const sonde = borrowSonde();
  const { pid, url } = await server(sonde, "node", "server.js", NODE);
  const words = ["trace", "--pid", String(pid), "--at", "server.js:5=asked"];
  const both = `echo out; echo bad >&2; ${asking(url, 1)}`;
  const { triggered } = await sonde.ask<Traced>([...words, "--run", both]);
  expect(triggered).toMatchObject({ exitCode: 0, lines: ["out", "asked 1"], errors: ["bad"] });
  const stays = `${asking(url, 1)}; sleep 20`;
  const text = await sonde.text([...words, "--hits", "1", "--run", stays]);
  expect(text).toMatch(/^ran: .*sleep 20 · still ran when the recording ended, and was ended$/m);
  expect(text).toMatch(/\| asked 2$/m);
  // The process ends by itself, and nothing was hit.
  const quits = `echo before; node -e 'fetch("${url}/quit").catch(() => {})'; sleep 20`;
  const none = await sonde.text(["trace", "--pid", String(pid), "--at", "server.js:5=asked", "--run", quits]);
  expect(none).toMatch(/^ran: .* · still ran when the recording ended, and was ended$/m);
  expect(none).toMatch(/\| before$/m);
});

test("--hits ends a program that was started", async () => {
  const sonde = borrowSonde();
  sonde.write("loop.js", "let i = 0;\nsetInterval(() => {\n  i++;\n}, 1);\n");
  const { trace, hits } = await sonde.ask<Traced>([
    "trace",
    "--at",
    "loop.js:3=i",
    "--hits",
    "4",
    "--",
    "node",
    "loop.js",
  ]);
  expect(hits.map(({ values }) => values[0])).toEqual(["0", "1", "2", "3"]);
  expect(trace.seen).toBe(4);
});
