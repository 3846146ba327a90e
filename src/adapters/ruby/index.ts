/** Ruby, by the debug gem (rdbg), which runs inside the program; see boot/. */
import { advice, blank, call } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";
import { ownFile } from "../../util/own-file.ts";
import { executableName } from "../../util/process-facts.ts";
import type { Adapter, Connection, Host, LaunchPlan } from "../adapter.ts";
import { endingCalls, listenForCallers, takeCaller } from "../kit/callers.ts";
import { fromTheStart } from "../kit/calling.ts";
import { speaking } from "../kit/dialect.ts";
import { describe, type Program, startProgram, withProgram } from "../kit/program.ts";
import type { Language } from "../language.ts";
import { debianPackages } from "../recipe.ts";
import { rubyDialect } from "./dialect.ts";
import { findRuby, gemOf } from "./find.ts";

const NO_MACHINE_CODE = {
  reason: "Ruby shows neither machine code nor memory to a debugger",
  instead: advice`use ${call("source")}, ${call("step")} and ${call("print", { expression: blank("expression") })}`,
};

const ruby: Language = {
  name: "ruby",
  title: "Ruby",
  tools: ["ruby"],
  sources: [".rb", ".ru", ".rake"],
  defined: (name, text) => (new RegExp(`^\\s*def (?:self\\.)?${name}\\b`, "m").test(text) ? name : undefined),
  interpreter: { name: /^ruby[\d.]*$/, plain: /^-[wW]$/ },
};

export const rubyAdapter: Adapter = {
  name: "rdbg",
  title: "Ruby debug gem (rdbg)",
  alsoCalled: ["rb", "ruby-debug"],
  listens: [
    {
      where: "a Unix socket in a private folder",
      holder: "sonde, as long as the session lives",
      stops: "its folder has mode 0700, so no other user can reach it",
    },
  ],
  languages: ["ruby"],
  describes: [ruby],
  configurations: [{ types: ["ruby", "rdbg"] }],
  fileTypes: [...ruby.sources],
  commands: ["ruby", "rake", "rspec", "rails", "bundle", "minitest", "cucumber"],
  catches: {
    uncaught: ["uncaught"],
    unhandled: ["uncaught"],
    all: ["all"],
    raise: ["all"],
    raised: ["all"],
    throw: ["all"],
  },
  defaultCatches: ["uncaught"],
  unsupported: {
    supportsReadMemoryRequest: NO_MACHINE_CODE,
    supportsWriteMemoryRequest: NO_MACHINE_CODE,
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsInstructionBreakpoints: NO_MACHINE_CODE,
    supportsSteppingGranularity: NO_MACHINE_CODE,
    supportsDataBreakpoints: {
      reason: "the debug gem's protocol has no data breakpoints",
      instead: advice`put ${call("breakpoint add", { location: blank("file:line"), log: "{expr}" })} on the lines that assign it`,
    },
    supportsStepBack: {
      reason: "Ruby cannot run backwards",
      instead: "start again with an earlier breakpoint",
    },
    supportsRestartFrame: {
      reason: "Ruby cannot enter a method again",
      instead: advice`start again with a breakpoint at its beginning: ${call("restart")}`,
    },
    supportsGotoTargetsRequest: {
      reason: "Ruby cannot move the point of execution",
      instead: advice`change values with ${call("set", { target: blank("name"), value: blank("value") })}, or ${call("restart")}`,
    },
  },
  custom: [],
  recipes: [
    {
      title: "the debug gem, in a folder of sonde's own",
      needs: ["gem"],
      steps: (folder) => [
        {
          command: ["gem", "install", "debug", "--no-document", "--install-dir", folder, "--bindir", folder],
        },
      ],
    },
    debianPackages("the system's Ruby, which includes the debug gem", "ruby"),
  ],
  byHand: "install Ruby 3.1 or later, or `gem install debug`",
  sample: {
    file: "sample.rb",
    text: "answer = 6 * 7\nputs answer\n",
    line: 2,
    shows: { name: "answer", value: "42" },
  },
  find: findRuby,
  claims: (pid) => /^ruby[\d.]*$/.test(executableName(pid) ?? ""),

  open: fromTheStart(
    { language: "Ruby", type: ".rb", why: "its debugger is loaded at the start" },
    { child: ({ caller }) => child(String(caller)), launch },
  ),
};

async function launch(plan: LaunchPlan, host: Host): Promise<Connection> {
  const callers = await listenForCallers("Ruby");
  try {
    const command = commandOf(plan, host.found.path);
    const program = await startProgram(
      host,
      { ...command, cwd: plan.cwd, env: await environment(plan.env, callers.path, host) },
      "the program",
    );
    void program.ended.then(() => callers.close());
    const first = await callers.first(host, endedEarly(program));
    const transport = endingCalls(withProgram(first.transport, program), callers);
    return {
      transport: speaking(
        transport,
        rubyDialect((wire) =>
          callers.onCaller(({ id, label }) => {
            const configuration = { name: label, caller: id };
            wire.askClient("startDebugging", { request: "attach", configuration });
          }),
        ),
      ),
      request: "attach",
      args: { stopOnEntry: plan.stopOnEntry, ...plan.extra },
      stdin: () => program.stdin,
    };
  } catch (error) {
    callers.close();
    throw error;
  }
}

async function endedEarly(program: Program): Promise<never> {
  const end = await program.ended;
  throw new SondeError("LAUNCH_FAILED", `the program ${describe(end)} before its debugger was ready`, {
    hint: "only Ruby programs can be debugged this way; run the command without sonde to see its output",
  });
}

function child(id: string): Connection {
  const caller = takeCaller(id);
  if (!caller) throw new Error("that process is no longer running");
  return { transport: speaking(caller.transport, rubyDialect()), request: "attach", args: {} };
}

function commandOf({ command, program = "", args }: LaunchPlan, ruby: string) {
  const [first = ruby, ...rest] = command ?? [ruby, program, ...args];
  return { command: first, args: rest };
}

/** Every Ruby process of the program loads boot/boot.rb, whoever starts it. */
async function environment(
  env: Record<string, string>,
  socket: string,
  host: Host,
): Promise<Record<string, string>> {
  const { paths } = await gemOf(host.found.path, host.where);
  return {
    ...env,
    RUBYOPT: [`-r${ownFile("adapters/ruby/boot/boot.rb")}`, env.RUBYOPT].filter(Boolean).join(" "),
    SONDE_RUBY_SOCKET: socket,
    SONDE_RUBY_DEBUG: paths.join(":"),
    BUNDLE_DISABLE_EXEC_LOAD: "true",
  };
}
