/** Dart and Flutter: the adapter is part of each SDK. */
import { fileOf, type Plain, plainAdapter } from "../kit/plain-adapter.ts";

const both = {
  listens: [
    {
      where: "127.0.0.1, a free port",
      holder: "the Dart VM's service (by its documentation; not tested here)",
      stops: "a secret in its address",
    },
  ],
  version: ["--version"],
  args: ["debug_adapter"],
  catches: { uncaught: ["Unhandled"], all: ["All"], throw: ["All"] },
  defaultCatches: ["Unhandled"],
  attach: ({ host, port, cwd }) => ({ vmServiceUri: `http://${host ?? "127.0.0.1"}:${port}/`, cwd }),
} satisfies Partial<Plain>;

export const dartAdapter = plainAdapter({
  ...both,
  name: "dart",
  title: "dart debug_adapter",
  languages: ["dart"],
  describes: [{ name: "dart", title: "Dart", tools: ["dart"], sources: [".dart"] }],
  configurations: [{ types: ["dart"] }],
  fileTypes: [".dart"],
  commands: ["dart"],
  names: ["dart"],
  byHand: "install the Dart SDK, and put its bin folder on the PATH",
  launch(plan) {
    const { file, args } = fileOf(plan, "file.dart");
    return { program: file, args, cwd: plan.cwd, env: plan.env, console: "terminal" };
  },
});

export const flutterAdapter = plainAdapter({
  ...both,
  name: "flutter",
  title: "flutter debug_adapter",
  languages: ["flutter"],
  commands: ["flutter"],
  names: ["flutter"],
  byHand: "install the Flutter SDK, and put its bin folder on the PATH",
  launch(plan) {
    const { program, command = [], cwd, env } = plan;
    return { program: program ?? "lib/main.dart", args: plan.args, toolArgs: command.slice(2), cwd, env };
  },
});
