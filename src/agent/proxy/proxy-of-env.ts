/**
 * Which proxy an environment names for a URL, as curl and most clients read it: `https_proxy`, `http_proxy`, `all_proxy`, `no_proxy`, each also
 * in capitals; the lower case one goes first. "" when there is none.
 */
export function proxyOfEnv(url: URL, env: NodeJS.ProcessEnv): string {
  const read = (name: string) => env[name] || env[name.toUpperCase()] || "";
  if (isExempt(url, read("no_proxy"))) return "";
  const scheme = url.protocol.slice(0, -1);
  const proxy = read(`${scheme}_proxy`) || read("all_proxy");
  return proxy === "" || proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** `no_proxy`: hosts between commas or blanks, each with all below it, perhaps with a port; `*` is every host. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname;
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", itsPort = port] = /^\*?\.?(\[.*\]|[^:]*|.*:.*:.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (name === "" || itsPort !== port) return false;
      return host === name || host === `[${name}]` || host.endsWith(`.${name}`);
    });
}
