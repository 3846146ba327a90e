export type { KeepAlive, ProxyOptions } from "./options.ts";
export { type AgentProxy, type AgentProxy as Proxy, startProxy } from "./server.ts";
