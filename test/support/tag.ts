/** Set at run time and not at the worker's start, so that what a worker spawns is tagged and the worker is not. */
import { inject } from "vitest";
import { RUN_TAG } from "./leaks.ts";

process.env[RUN_TAG] = inject("run");
