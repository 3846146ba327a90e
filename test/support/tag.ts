/** Set at run time and not at the worker's start, so that what a worker spawns is tagged and the worker is not. */
import { inject } from "vitest";
import { RUN_TAG } from "./leaks.ts";

process.env[RUN_TAG] = inject("run");

// Node reads the system's certificates at every start where this is set, which takes longer than the start itself. No test that goes out of this
// machine does so by Node; those that are about it set it.
delete process.env.NODE_EXTRA_CA_CERTS;
