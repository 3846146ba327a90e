/**
 * Text to the clipboard, by the first way that works: a command that the user configured, the desktop's own tool, tmux, and last the
 * terminal itself (OSC 52), which reaches over SSH but never says whether it did.
 */
import { spawn } from "node:child_process";
import { plural } from "../text.ts";
import { toolPath } from "../tool-path.ts";

export interface CopyOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** A line for the shell. */
  command?: string | undefined;
  /** To the terminal. */
  write(text: string): void;
}

export interface Copied {
  ok: boolean;
  /** By which way, or why by none. */
  how: string;
}

interface Way {
  name: string;
  argv: readonly [string, ...string[]];
}

/** Terminals take no more at once. */
const LONGEST_SEQUENCE = 74_994;
const PATIENCE_MS = 3_000;

export async function copy(text: string, { env, command, write }: CopyOptions): Promise<Copied> {
  const failures: string[] = [];
  for (const { name, argv } of waysOf(env, command)) {
    const why = await feed(argv, text, env);
    if (why === undefined) return { ok: true, how: name };
    if (why !== "missing") failures.push(`${name}: ${why}`);
  }
  const base64 = Buffer.from(text).toString("base64");
  const before = failures.length === 0 ? "" : ` (${failures.join("; ")})`;
  if (base64.length > LONGEST_SEQUENCE)
    return { ok: false, how: `${plural(text.length, "character")} are too many for the terminal${before}` };
  write(`\x1b]52;c;${base64}\x07`);
  return { ok: true, how: `the terminal (OSC 52), if it allows that${before}` };
}

function waysOf(env: CopyOptions["env"], command: string | undefined): Way[] {
  const has = (name: string) => (env[name] ?? "") !== "";
  return [
    ...(command === undefined
      ? []
      : [{ name: "the configured command", argv: ["sh", "-c", command] as const }]),
    ...(has("WAYLAND_DISPLAY") ? [{ name: "wl-copy", argv: ["wl-copy"] as const }] : []),
    ...(has("DISPLAY")
      ? [
          { name: "xclip", argv: ["xclip", "-selection", "clipboard"] as const },
          { name: "xsel", argv: ["xsel", "--clipboard", "--input"] as const },
        ]
      : []),
    ...(process.platform === "darwin" ? [{ name: "pbcopy", argv: ["pbcopy"] as const }] : []),
    // -w: tmux passes it on to the terminal that it is in.
    ...(has("TMUX") ? [{ name: "tmux", argv: ["tmux", "load-buffer", "-w", "-"] as const }] : []),
  ];
}

/** Why not, if it did not take it. */
function feed(
  [program, ...args]: Way["argv"],
  text: string,
  env: CopyOptions["env"],
): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(program, args, {
      env: { ...env, PATH: toolPath(env.PATH) },
      stdio: ["pipe", "ignore", "pipe"],
    });
    let said = "";
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      finish(`no answer in ${PATIENCE_MS / 1000} s`);
    }, PATIENCE_MS);
    const finish = (why: string | undefined) => {
      clearTimeout(late);
      // Some stay to serve the selection, and hold these.
      child.stderr.destroy();
      child.unref();
      done(why);
    };
    child.on("error", (error: NodeJS.ErrnoException) =>
      finish(error.code === "ENOENT" ? "missing" : error.message),
    );
    child.stderr.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-300);
    });
    // "exit", not "close": see above.
    child.on("exit", (code, signal) => {
      if (code === 0) return finish(undefined);
      finish(said.trim().split("\n")[0] || (signal === null ? `exit status ${code}` : `killed by ${signal}`));
    });
    child.stdin.on("error", () => {}); // it has ended: "exit" says how
    child.stdin.end(text);
  });
}
