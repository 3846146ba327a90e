/** A command's arguments, checked by its own schema: the one check, wherever the command runs. */
import type * as z from "zod";
import { advice, named, type Told } from "../../advice/advice.ts";
import type { Command } from "../../commands/define.ts";
import { issueText } from "../../commands/issue-text.ts";
import { SondeError } from "../../errors.ts";

/** What commands become that are given nothing, as most are: what their schemas say to that is always the same. */
const bare = new WeakMap<Command, Record<string, unknown>>();

export function validate(command: Command, args: Record<string, unknown>): Record<string, unknown> {
  if (Object.keys(args).length > 0) return checked(command, args);
  const known = bare.get(command) ?? checked(command, args);
  // A list in it would be the same list for all of them.
  if (Object.values(known).every((one) => typeof one !== "object")) bare.set(command, known);
  return { ...known };
}

function checked(command: Command, args: Record<string, unknown>): Record<string, unknown> {
  const parsed = command.args.safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SondeError(
    "BAD_ARGUMENT",
    advice`${{ do: "name", command: command.name }} ${issue ? flawIn(issue, args) : "got invalid arguments"}`,
    {
      hint: advice`${{ do: "usage", command: command.name }}`,
    },
  );
}

function flawIn(issue: z.core.$ZodIssue, args: Record<string, unknown>): Told {
  if (issue.code === "unrecognized_keys") return `takes no argument \`${issue.keys[0]}\``;
  const key = String(issue.path[0] ?? "");
  if (issue.code === "invalid_type" && args[key] === undefined) return advice`needs ${named(key)}`;
  return key === "" ? issue.message : advice`${named(key)}: ${issueText(issue, valueAt(args, issue.path))}`;
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((from, key) => (from as Record<PropertyKey, unknown> | undefined)?.[key], args);
}
