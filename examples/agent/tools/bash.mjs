import { spawn } from "node:child_process";

const LONGEST_MS = 120_000;
const MOST_CHARACTERS = 30_000;

export const description = {
  name: "bash",
  description: `Runs a shell command and gives its output. It has no input, and is ended after ${LONGEST_MS / 1000} seconds.`,
  input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
};

export const summary = ({ command }) => command;

export async function run({ command }, { terminal, yes, signal }) {
  if (!yes && !(await isAllowed(command, terminal))) throw new Error("The user does not want this command to be run.");
  const { output, how } = await runToEnd(command, signal);
  const text = output.length > MOST_CHARACTERS ? `${output.slice(0, MOST_CHARACTERS)}\n(more was cut off)` : output;
  if (how !== "exit 0") throw new Error(`${text}\n(${how})`);
  return text || "(no output)";
}

async function isAllowed(command, terminal) {
  if (!terminal.canAsk) throw new Error("Commands are not allowed here: nobody can be asked. (--yes allows them.)");
  const answer = await terminal.question(`Run \`${command}\`? [y/N] `);
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

function runToEnd(command, signal) {
  return new Promise((resolve, reject) => {
    // A group of its own: what the command starts is ended with it.
    const child = spawn("/bin/sh", ["-c", command], { detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let why;
    const end = (reason) => {
      why ??= reason;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(() => end(`ended after ${LONGEST_MS / 1000} seconds`), LONGEST_MS);
    const onAbort = () => end(signal.reason?.message ?? "cancelled");
    signal.addEventListener("abort", onAbort, { once: true });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        if (output.length <= MOST_CHARACTERS) output += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code, killedBy) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      if (signal.aborted) reject(signal.reason);
      else resolve({ output, how: why ?? (killedBy ? `ended by ${killedBy}` : `exit ${code}`) });
    });
    if (signal.aborted) onAbort();
  });
}
