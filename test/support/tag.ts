/** Set at run time and not at the worker's start, so that what a worker spawns is tagged and the worker is not. */
import { delimiter } from "node:path";
import { inject } from "vitest";
import { RUN_TAG } from "./leaks.ts";

process.env[RUN_TAG] = inject("run");

// Node reads the system's certificates at every start where this is set, which takes longer than the start itself. No test that goes out of this
// machine does so by Node; those that are about it set it.
delete process.env.NODE_EXTRA_CA_CERTS;

// pyenv's script takes two times as long as the Python that it finds, and is asked anew in each folder. What such a script changes has a test of its
// own (python/shims.test.ts).
const python = inject("python");
const path = process.env.PATH ?? "";
if (python !== "" && !path.startsWith(python + delimiter)) process.env.PATH = python + delimiter + path;
