/** The engine as daemon and library load it: a bundle of its own, which the library imports when it is needed. */
export { loadConfig } from "./config/config.ts";
export { createEngine } from "./engine.ts";
