/** Which run of an agent the caller means. */
import { isAbsolute, relative, resolve } from "node:path";
import { advice, blank, call, joined, option, shell } from "../../advice/advice.ts";
import { endText } from "../../agent/explain/ending.ts";
import { findSession, listSessions, type SessionRow } from "../../agent/store/sessions.ts";
import { SondeError } from "../../errors.ts";
import { oneLine } from "../../util/text.ts";
import type { Context } from "../context.ts";

/** A run, and how advice about it is to be given. */
export interface Scope {
  row: SessionRow;
  /** With what the caller has to say again for it to mean the same run. */
  call: typeof call;
}

type Asking = Pick<Context, "cwd" | "agents">;

export function agentsRoot({ cwd, agents }: Asking, dir: string | undefined): string {
  return dir === undefined ? agents.root : resolve(cwd, dir);
}

/** The newest; one that is alive before one that has ended, one of this folder before others. */
export async function runToRead(context: Asking, { dir }: { dir?: string | undefined }): Promise<Scope> {
  const { named } = context.agents;
  const root = agentsRoot(context, dir);
  if (named !== undefined) return scopeOf(context, dir, found(root, named));
  const rows = await listSessions(root);
  const near = (row: SessionRow) => isIn(context.cwd, row.cwd);
  const best =
    rows.find((row) => row.alive && near(row)) ?? rows.find((row) => row.alive) ?? rows.find(near) ?? rows[0];
  if (best === undefined) throw none(dir);
  return scopeOf(context, dir, best, rows);
}

/** One that is alive, and no other can be meant. */
export async function runToControl(context: Asking, { dir }: { dir?: string | undefined }): Promise<Scope> {
  const { named } = context.agents;
  const root = agentsRoot(context, dir);
  if (named !== undefined) return scopeOf(context, dir, stillAlive(found(root, named)));
  const rows = await listSessions(root);
  const alive = rows.filter((row) => row.alive);
  const [only, ...others] = alive;
  if (only === undefined) throw rows[0] === undefined ? none(dir) : noneAlive(rows[0], dir);
  if (others.length === 0) return scopeOf(context, dir, only, rows);
  const [here, ...more] = alive.filter((row) => isIn(context.cwd, row.cwd));
  if (here !== undefined && more.length === 0) return scopeOf(context, dir, here, rows);
  throw ambiguous(alive);
}

/** `rows`: those it was chosen from. */
export function scopeOf(
  context: Asking,
  dir: string | undefined,
  row: SessionRow,
  rows?: SessionRow[],
): Scope {
  const several = (rows ?? []).filter(({ alive }) => alive).length > 1;
  const session = context.agents.named ?? (several ? shortName(row) : undefined);
  return {
    row,
    call: (command, args = {}, of = session) =>
      call(command, dir === undefined ? args : { ...args, dir }, of),
  };
}

/** What one would type for it: its name, or the end of its id. */
export function shortName({ name, id }: SessionRow): string {
  return name ?? /^debug_\d+_\d+_(\w+)$/.exec(id)?.[1] ?? id;
}

/** The folder itself, or one below it. */
function isIn(cwd: string, folder: string): boolean {
  if (folder === "") return false;
  const path = relative(folder, cwd);
  return path === "" || (!path.startsWith("..") && !isAbsolute(path));
}

function found(root: string, named: string): SessionRow {
  try {
    return findSession(root, named);
  } catch (thrown) {
    if (!(thrown instanceof SondeError) || thrown.code !== "NO_SESSION") throw thrown;
    throw new SondeError("NO_SESSION", `no agent session ${JSON.stringify(named)} in ${root}`, {
      hint: advice`${call("agent sessions", { all: true })} lists them`,
    });
  }
}

function stillAlive(row: SessionRow): SessionRow {
  if (row.alive) return row;
  throw new SondeError("SESSION_ENDED", `agent session ${row.id} has ended: ${endText(row)}`, {
    hint: advice`what it did: ${call("agent explain", {}, row.id)} or ${call("agent transcript", {}, row.id)}`,
  });
}

const RUN = shell("sonde agent run -- claude");

function none(dir: string | undefined): SondeError {
  return new SondeError(
    "NO_SESSION",
    dir === undefined ? "no agent has been run" : `no agent session in ${dir}`,
    {
      hint: advice`${RUN} runs one so that it can be held and inspected`,
    },
  );
}

function noneAlive(last: SessionRow, dir: string | undefined): SondeError {
  const args = dir === undefined ? {} : { dir };
  return new SondeError("NO_SESSION", `no agent runs now (the last one, ${last.id}, ${endText(last)})`, {
    hint: advice`${RUN} runs one; ${call("agent explain", args, last.id)} says what the last one did`,
  });
}

const MOST_NAMED = 8;

function ambiguous(rows: readonly SessionRow[]): SondeError {
  const names = rows.map(shortName);
  const named = rows.slice(0, MOST_NAMED).map((row) => {
    const shared = names.filter((name) => name === shortName(row)).length > 1;
    const what = oneLine([row.client ?? row.argv?.join(" ") ?? "agent", row.cwd].join(" in "));
    return advice`${option({ session: shared ? row.id : shortName(row) })}: ${what}`;
  });
  const rest = rows.length - named.length;
  return new SondeError("AMBIGUOUS_SESSION", `${rows.length} agents are running`, {
    hint: advice`name one: ${joined(named, "; ")}${rest > 0 ? `; and ${rest} more` : ""}`,
  });
}

/** For those that name a run by a place of its own. */
export const SESSION = blank("session");
