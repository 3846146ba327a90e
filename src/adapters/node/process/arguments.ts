/** The arguments of `launch`, `attach` and our own requests, checked where they come in. */
import * as z from "zod";

export const LaunchArguments = z.looseObject({
  program: z.string().optional(),
  args: z.array(z.string()).default([]),
  command: z.array(z.string()).min(1).optional(),
  cwd: z.string().default(() => process.cwd()),
  env: z.record(z.string(), z.string()).default({}),
  /** `env` is the whole environment; otherwise it is laid over the adapter's own. */
  replaceEnv: z.boolean().default(false),
  stopOnEntry: z.boolean().default(false),
  justMyCode: z.boolean().optional(),
  runtimeExecutable: z.string().optional(),
  runtimeArgs: z.array(z.string()).default([]),
});
export type LaunchArguments = z.infer<typeof LaunchArguments>;

export const AttachArguments = z.looseObject({
  pid: z.number().int().positive().optional(),
  processId: z.union([z.number(), z.string()]).transform(Number).optional(),
  host: z.string().optional(),
  port: z.number().int().min(1).max(65_535).optional(),
  url: z.string().optional(),
  /** From our own `startDebugging`: the token of a target that waits in this process. */
  sondeTarget: z.string().optional(),
  /** The same for a client in another process: the socket at which the target waits. */
  sondeSocket: z.string().optional(),
  /** By pid: its inspector may be opened although other people are on this machine. */
  openPort: z.boolean().default(false),
  name: z.string().optional(),
  stopOnEntry: z.boolean().default(false),
  justMyCode: z.boolean().optional(),
});
export type AttachArguments = z.infer<typeof AttachArguments>;

export const StdinArguments = z.object({
  data: z.base64().optional(),
  eof: z.boolean().optional(),
});

export const DisconnectArguments = z.looseObject({ terminateDebuggee: z.boolean().optional() }).default({});

/** A message that names the argument, instead of zod's list of issues. */
export function parseArguments<T>(schema: z.ZodType<T>, request: string, value: unknown): T {
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(
    `bad argument of ${request}: ${issue?.path.join(".") ?? "?"}: ${issue?.message ?? "invalid"}`,
  );
}
