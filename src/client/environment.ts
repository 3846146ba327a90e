/** The caller's environment and folder as the debuggee should get them. */

type Variables = Record<string, string>;

/** bin/sonde keeps these from slowing or changing the client's own Node, and passes their values on under these names. */
const SET_ASIDE = { SONDE_NODE_EXTRA_CA_CERTS: "NODE_EXTRA_CA_CERTS", SONDE_NODE_OPTIONS: "NODE_OPTIONS" };

export function callerEnv(env: NodeJS.ProcessEnv = process.env): Variables {
  const copy = { ...env } as Variables;
  for (const [aside, name] of Object.entries(SET_ASIDE)) {
    const value = copy[aside];
    if (value === undefined) continue;
    copy[name] = value;
    delete copy[aside];
  }
  return copy;
}

export function callerCwd(): string {
  try {
    return process.cwd();
  } catch {
    return process.env.PWD ?? "/"; // the folder was removed; commands that need it say so
  }
}
