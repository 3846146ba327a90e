/**
 * How a call leaves this machine: through the proxy that the user's environment names, and trusting the certificates that it names. An
 * agent would do both by itself, but its calls come to us.
 */
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { rootCertificates } from "node:tls";
import { SondeError } from "../../errors.ts";
import { proxyOfEnv } from "./proxy-of-env.ts";

export interface WayOut {
  agent: http.Agent;
  /** Instead of Node's own list, if there are more. */
  ca?: string[];
}

/** Told to the user. */
export type Note = (text: string) => void;

const OPTIONS = { keepAlive: true, noDelay: true, maxSockets: Number.POSITIVE_INFINITY };
const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Node reads the first only when it starts, and the launcher has set it aside by then. */
const CERTIFICATE_FILES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

export async function wayOut(base: URL, env: NodeJS.ProcessEnv, note: Note): Promise<WayOut> {
  const proxy = await proxyFor(base, env);
  const ca = base.protocol === "https:" ? certificates(env, note) : undefined;
  return { agent: proxy ?? direct(base), ...(ca === undefined ? {} : { ca }) };
}

function direct({ protocol }: URL): http.Agent {
  return protocol === "https:" ? new https.Agent(OPTIONS) : new http.Agent(OPTIONS);
}

async function proxyFor(base: URL, env: NodeJS.ProcessEnv): Promise<http.Agent | undefined> {
  if (THIS_MACHINE.test(base.hostname)) return undefined;
  const proxy = proxyOfEnv(base, env);
  if (proxy === "") return undefined;
  if (!/^https?:\/\/[^/]/.test(proxy))
    throw new SondeError(
      "BAD_ARGUMENT",
      `the proxy of your environment is not an http address: ${proxy.replace(/\/\/.*@/, "//…@")}`,
      {
        hint: "HTTPS_PROXY=http://host:port, or NO_PROXY with the provider's host",
      },
    );
  const { throughProxy } = await import("./user-proxy.ts");
  return throughProxy(new URL(proxy), OPTIONS);
}

function certificates(env: NodeJS.ProcessEnv, note: Note): string[] | undefined {
  const files = CERTIFICATE_FILES.flatMap((name) => certificateFile(name, env[name], note) ?? []);
  return files.length === 0 ? undefined : [...rootCertificates, ...files];
}

/** One that cannot be read is left out, as Node and OpenSSL do: an agent runs with such a variable, so it does here. */
function certificateFile(name: string, path: string | undefined, note: Note): string | undefined {
  if (!path) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    note(`${name} is left out: ${(thrown as Error).message}`);
    return undefined;
  }
}
