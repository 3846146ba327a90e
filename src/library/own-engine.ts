/** The engine for a program that holds one of its own: a bundle by itself, loaded when it is needed. */
export { loadConfig } from "../engine/config.ts";
export { createEngine } from "../engine/engine.ts";
