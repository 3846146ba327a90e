/** `sonde agent run` without the command line around it: options as JSON in the first argument. */
import { runAgent } from "../../../src/agent/run/run-agent.ts";
import { SondeError } from "../../../src/errors.ts";

const options = JSON.parse(process.argv[2] ?? "{}");
// JSON has no regular expressions.
const ignore: string[] = options.replay?.ignore ?? [];
if (options.replay) options.replay.ignore = ignore.map((text) => new RegExp(text));
try {
  process.exitCode = await runAgent({
    hooks: true,
    startPaused: false,
    breakpoints: [],
    version: "0.0.0-test",
    cwd: process.cwd(),
    env: process.env,
    say: (text) => process.stderr.write(`${text}\n`),
    ...options,
  });
} catch (thrown) {
  if (!(thrown instanceof SondeError)) throw thrown;
  process.stderr.write(`${thrown.code}: ${thrown.message}\n`);
  process.exitCode = 70;
}
