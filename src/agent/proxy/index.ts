export type { KeepAlive, ProxyOptions } from "./options.ts";
export { type ModelProxy, startProxy } from "./server.ts";
