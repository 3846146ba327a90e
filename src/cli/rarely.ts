/** What a plain command never needs, in a bundle of its own (scripts/build.mjs): main.ts and client/ import it when they must. */
export { readRecord } from "../client/daemon-record.ts";
export { connectOrStart } from "../client/start-daemon.ts";
export { bundle } from "./local/bundle.ts";
export { runLocal } from "./local/index.ts";
export { sendStdin } from "./send-stdin.ts";
