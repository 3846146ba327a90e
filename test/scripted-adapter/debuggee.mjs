/**
 * The program behind the scripted adapter: a straight line of statements in one file, one thread, one variable.
 * `continue` runs to the next breakpoint of that file or to the end.
 */
export class Debuggee {
  #line = 1;
  #program = "/nowhere/program.txt";
  #lastLine;
  #capabilities;
  #nextBreakpoint = 1;
  #breakpoints = new Map();

  constructor({ capabilities = { supportsConfigurationDoneRequest: true }, lines = 20 }) {
    this.#capabilities = capabilities;
    this.#lastLine = lines;
  }

  /** What it must know even if a script answers. */
  note({ command, arguments: args }) {
    if (command === "launch" || command === "attach") this.#program = args?.program ?? this.#program;
  }

  /** What a good adapter would say: a body or a failure, and the events that follow. */
  answer({ command, arguments: args = {} }) {
    switch (command) {
      case "initialize":
        return { body: this.#capabilities };
      case "launch":
      case "attach":
        return { events: [["initialized", undefined]] };
      case "setBreakpoints":
        return { body: { breakpoints: this.#setBreakpoints(args) } };
      case "setFunctionBreakpoints":
      case "setExceptionBreakpoints":
      case "setDataBreakpoints":
      case "setInstructionBreakpoints":
        return {
          body: { breakpoints: (args.breakpoints ?? args.filters ?? []).map(() => ({ verified: true })) },
        };
      case "configurationDone":
        return { events: this.#run(0) };
      case "continue":
        return { body: { allThreadsContinued: true }, events: this.#run(this.#line) };
      case "next":
      case "stepIn":
      case "stepOut":
        return { events: this.#goTo(this.#line + 1, "step") };
      case "pause":
        return { events: [["stopped", { reason: "pause", threadId: 1, allThreadsStopped: true }]] };
      case "threads":
        return { body: { threads: [{ id: 1, name: "main" }] } };
      case "stackTrace":
        return { body: { stackFrames: [this.#frame()], totalFrames: 1 } };
      case "scopes":
        return { body: { scopes: [{ name: "Locals", variablesReference: 1, expensive: false }] } };
      case "variables":
        return { body: { variables: [this.#variable()] } };
      case "evaluate":
        return { body: { result: args.expression, variablesReference: 0 } };
      case "source":
        return {
          body: {
            content: Array.from({ length: this.#lastLine }, (_, i) => `statement ${i + 1}`).join("\n"),
          },
        };
      case "terminate":
        return { events: [["terminated", undefined]] };
      case "disconnect":
        return { exit: true };
      default:
        return { failure: `unknown command ${command}` };
    }
  }

  #setBreakpoints({ source, breakpoints = [] }) {
    const set = breakpoints.map(({ line }) => ({ id: this.#nextBreakpoint++, verified: true, line, source }));
    this.#breakpoints.set(source.path, set);
    return set;
  }

  #run(from) {
    const lines = (this.#breakpoints.get(this.#program) ?? []).map(({ line }) => line);
    const next = Math.min(...lines.filter((line) => line > from));
    return this.#goTo(next, "breakpoint");
  }

  #goTo(line, reason) {
    this.#line = line;
    if (line <= this.#lastLine) {
      const hit = (this.#breakpoints.get(this.#program) ?? []).filter(
        (breakpoint) => breakpoint.line === line,
      );
      const ids = reason === "breakpoint" ? { hitBreakpointIds: hit.map(({ id }) => id) } : {};
      return [["stopped", { reason, threadId: 1, allThreadsStopped: true, ...ids }]];
    }
    return [
      ["exited", { exitCode: 0 }],
      ["terminated", undefined],
    ];
  }

  #frame() {
    return {
      id: 1,
      name: "main",
      line: this.#line,
      column: 1,
      source: { name: "program", path: this.#program },
    };
  }

  #variable() {
    return { name: "line", value: String(this.#line), type: "int", variablesReference: 0 };
  }
}
