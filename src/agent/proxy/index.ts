export type { KeepAlive, ProxyOptions } from "./options.ts";
export { type Proxy, startProxy } from "./server.ts";
