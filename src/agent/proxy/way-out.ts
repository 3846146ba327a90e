/**
 * How a call leaves this machine: through the proxy that the user's environment names, and trusting the certificates that it names. An
 * agent would do both by itself, but its calls come to us.
 */
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { rootCertificates } from "node:tls";
import { getProxyForUrl } from "proxy-from-env";
import { SondeError } from "../../errors.ts";

export interface WayOut {
  agent: http.Agent;
  /** Instead of Node's own list, if there are more. */
  ca?: string[];
}

const OPTIONS = { keepAlive: true, noDelay: true, maxSockets: Number.POSITIVE_INFINITY };
const THIS_MACHINE = /^(localhost|127(\.\d+){3}|\[::1\])$/;
/** Node reads the first only when it starts, and the launcher has set it aside by then. */
const CERTIFICATE_FILES = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"];

export async function wayOut(base: URL, env: NodeJS.ProcessEnv): Promise<WayOut> {
  const proxy = await proxyFor(base);
  const ca = base.protocol === "https:" ? certificates(env) : undefined;
  return { agent: proxy ?? direct(base), ...(ca === undefined ? {} : { ca }) };
}

function direct({ protocol }: URL): http.Agent {
  return protocol === "https:" ? new https.Agent(OPTIONS) : new http.Agent(OPTIONS);
}

async function proxyFor(base: URL): Promise<http.Agent | undefined> {
  if (THIS_MACHINE.test(base.hostname)) return undefined;
  const proxy = getProxyForUrl(base.href);
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

function certificates(env: NodeJS.ProcessEnv): string[] | undefined {
  const files = CERTIFICATE_FILES.flatMap((name) => (env[name] ? [{ name, path: env[name] }] : []));
  if (files.length === 0) return undefined;
  return [...rootCertificates, ...files.map(({ name, path }) => certificateFile(name, path))];
}

function certificateFile(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw new SondeError("BAD_ARGUMENT", `${name}: ${(thrown as Error).message}`);
  }
}
