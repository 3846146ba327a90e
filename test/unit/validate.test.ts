/** A command that is given nothing: the same as its schema says, each time anew. */
import { expect, test } from "vitest";
import { REGISTERED } from "../../src/commands/index.ts";
import { validate } from "../../src/engine/request/validate.ts";

test.each(REGISTERED.map((command) => [command.name, command] as const))("%s", (_name, command) => {
  const { data, success } = command.args.safeParse({});
  for (let time = 0; time < 3; time++) {
    if (!success) {
      expect(() => validate(command, {})).toThrow();
      continue;
    }
    const given = validate(command, {});
    expect(given).toEqual(data);
    // Whoever is given it may do with it as he likes.
    for (const value of Object.values(given)) if (Array.isArray(value)) value.push("more");
    given.more = true;
  }
});
