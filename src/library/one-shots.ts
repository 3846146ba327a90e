/** The same as the methods of a Sonde, for one call: with a debugger of its own in this process that is gone afterwards. */
import type { CommandResults, RuntimeFeedback } from "./commands.generated.ts";
import type { RuntimeFeedbackOptions } from "./feedback.ts";
import type {
  AttachOptions,
  CrashOptions,
  DiffOptions,
  HangOptions,
  LaunchOptions,
  ProbeOptions,
  TestOptions,
  TraceOptions,
} from "./options.ts";
import type { Session } from "./session.ts";
import { createSonde, Sonde } from "./sonde.ts";

async function once<T>(body: (sonde: Sonde) => Promise<T>): Promise<T> {
  await using sonde = createSonde();
  return await body(sonde);
}

/** Runs to a place, looks, ends the program. */
export function probe(options: ProbeOptions): Promise<CommandResults["probe"]> {
  return once((sonde) => sonde.probe(options));
}

/** Runs a program to its end and records values at every hit of a line, or whole calls of a function. */
export function trace(options: TraceOptions): Promise<CommandResults["trace"]> {
  return once((sonde) => sonde.trace(options));
}

/** Two runs, and where they first part. */
export function diff(options: DiffOptions): Promise<CommandResults["diff"]> {
  return once((sonde) => sonde.diff(options));
}

/** Runs a program until it dies, or reads its core file: what of, every frame with its values, all threads. */
export function crash(options: CrashOptions): Promise<CommandResults["crash"]> {
  return once((sonde) => sonde.crash(options));
}

/** Why a program does not go on. */
export function hang(options: HangOptions): Promise<CommandResults["hang"]> {
  return once((sonde) => sonde.hang(options));
}

/** The failing test of a test run alone under the debugger. */
export function test(options: TestOptions): Promise<CommandResults["test"]> {
  return once((sonde) => sonde.test(options));
}

/**
 * Values and backtraces at every hit of some lines of one run, by place as the caller wrote it. A place that was never hit has an
 * empty list; a value that cannot be had is `<unavailable>`; a place without code is an error, BAD_LOCATION.
 */
export function getRuntimeFeedback(options: RuntimeFeedbackOptions): Promise<RuntimeFeedback> {
  return once((sonde) => sonde.getRuntimeFeedback(options));
}

/** Starts a program in a debugger of its own, which goes when the session is stopped, detached or disposed of. */
export function launch(options: LaunchOptions): Promise<Session> {
  return alone((sonde) => sonde.launch(options));
}

/** Attaches with a debugger of its own, which goes when the session is stopped, detached or disposed of. */
export function attach(options: AttachOptions): Promise<Session> {
  return alone((sonde) => sonde.attach(options));
}

async function alone(open: (sonde: Sonde) => Promise<Session>): Promise<Session> {
  const sonde = Sonde.create({}, { endWithSession: true });
  try {
    return await open(sonde);
  } catch (thrown) {
    await sonde.close();
    throw thrown;
  }
}
