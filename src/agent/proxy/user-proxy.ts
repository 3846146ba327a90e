/** Loaded only for those who have a proxy. */
import type http from "node:http";
import { HttpsProxyAgent } from "https-proxy-agent";

/** Tunnels through it, whatever the provider's protocol. */
export function throughProxy(proxy: URL, options: http.AgentOptions): http.Agent {
  return new HttpsProxyAgent<`http:${string}`>(proxy, options);
}
