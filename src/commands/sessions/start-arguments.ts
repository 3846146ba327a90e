/** Reading the arguments of start and attach. */
import { advice, named } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import type { Launch } from "../../session/launch.ts";
import type { Declaration, Session } from "../../session/session.ts";
import { type PathMap, parseMovedPath } from "../../util/path-map.ts";
import type { Context } from "../context.ts";
import { breakSpec, sourcesOf } from "../running/moving.ts";
import { filtersFor } from "./sessions.ts";

/** What the arguments ask to stop at, in the sources of what is launched. */
export function declared(
  { cwd }: Pick<Context, "cwd">,
  launch: Launch,
  args: { break?: string[] | undefined; functionBreak?: string[] | undefined; catch?: string[] | undefined },
): Declaration {
  const sources = sourcesOf(launch);
  const catches = args.catch?.filter((one) => one !== "none");
  return {
    breakpoints: [
      ...(args.break ?? []).map((text) => breakSpec(text, cwd, undefined, sources)),
      ...(args.functionBreak ?? []).map((name) => ({ kind: "function" as const, name, asked: name })),
    ],
    ...(catches && { catches: catches.map((name) => ({ name, filters: filtersFor(launch, name) })) }),
  };
}

/** `--map`, as a part of a request. */
export function parseMap(map: string[] | undefined, cwd: string): { pathMap?: PathMap } {
  if (map === undefined) return {};
  const pathMap = map.map((text) => {
    const moved = parseMovedPath(text, cwd);
    if (moved) return moved;
    throw new SondeError("BAD_ARGUMENT", advice`${named("map")}: \`${text}\` is not /old=/new`, {
      hint: "give the folder where it was built, then the folder where it is now",
    });
  });
  return { pathMap };
}

/** …before there is a session: with the configuration's. */
export function typedMap(context: Context, map: string[] | undefined): PathMap {
  return [...(parseMap(map, context.cwd).pathMap ?? []), ...context.pathMap];
}

export function parsePort(text: string): { host?: string; port: number } {
  const match = /^(?:(.+):)?(\d+)$/.exec(text);
  const port = Number(match?.[2]);
  if (!match || port < 1 || port > 65535)
    throw new SondeError("BAD_ARGUMENT", advice`${named("port")}: \`${text}\` is not [host:]port`);
  return { port, ...(match[1] === undefined ? {} : { host: match[1] }) };
}

/** Not awaited: a program that reads nothing must not hold up the answer. */
export function feed(session: Session, bytes: Buffer): void {
  const route = session.main?.stdin;
  if (!route)
    throw new SondeError(
      "UNSUPPORTED",
      `the ${session.adapter.name} adapter cannot give a program standard input`,
    );
  void route
    .write(bytes)
    .then(() => route.end())
    .catch(() => {});
}
