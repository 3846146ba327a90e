/** What boot/ answers beyond the gem is announced here; evaluation is wrapped so that a failure is one. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Dialect, Wire } from "../kit/dialect.ts";

export function rubyDialect(onOpen: (wire: Wire) => void = () => {}): Dialect {
  /** Scope → frame, for assignments. */
  const frames = new Map<number, number>();
  return {
    requests: {
      // The program's other processes may be told of once the client is there to hear it.
      configurationDone(_args, wire) {
        onOpen(wire);
        return undefined;
      },
      evaluate: ({ expression, frameId, context }, wire) => ({
        answer: evaluate(wire, String(expression), frameId, context),
      }),
      setVariable: ({ variablesReference, name, value }, wire) => ({
        answer: assign(wire, name, value, frames.get(variablesReference)),
      }),
      setExpression: ({ expression, value, frameId }, wire) => ({
        answer: assign(wire, expression, value, frameId),
      }),
    },
    responses: {
      initialize: ({ supportsStepBack: _, ...body }) => ({
        ...body,
        supportsHitConditionalBreakpoints: true,
        supportsLogPoints: true,
        supportsExceptionInfoRequest: true,
        supportsSetVariable: true,
        supportsSetExpression: true,
        exceptionBreakpointFilters: [
          { filter: "uncaught", label: "Exceptions that are not rescued", default: true },
          { filter: "all", label: "All exceptions, when they are raised", supportsCondition: true },
        ],
      }),
      threads: ({ threads }: DebugProtocol.ThreadsResponse["body"]) => ({
        threads: threads.map((one) => ({ ...one, name: threadName(one.name) })),
      }),
      scopes({ scopes }, { frameId }) {
        frames.clear();
        for (const { variablesReference } of scopes) frames.set(variablesReference, frameId);
        // The gem names global variables without their values.
        return {
          scopes: scopes.filter(
            (scope: { presentationHint?: string }) => scope.presentationHint !== "globals",
          ),
        };
      },
    },
  };
}

/** The gem answers an exception as if it were the value. */
async function evaluate(wire: Wire, source: string, frameId: unknown, context = "watch"): Promise<unknown> {
  const expression = `::SondeRuby.evaluate(::Kernel.binding, ${literal(source)})`;
  const { success, message, body } = await wire.ask("evaluate", {
    expression,
    frameId,
    context: context === "hover" ? "watch" : context,
  });
  if (!success) throw new Error(message === "Failed" ? "the program is not stopped there" : message);
  if (body.type === "SondeRuby::Failed") throw new Error(body.result);
  return body;
}

async function assign(wire: Wire, target: string, value: string, frameId: unknown): Promise<unknown> {
  const body = (await evaluate(wire, `${target} = (${value})`, frameId)) as { result: string };
  return { ...body, value: body.result };
}

/** A Ruby string that means exactly this text: in single quotes only these two are special. */
function literal(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** `#5 /home/me/app.rb:2:in `block in <main>'` → `#5 app.rb:2`: one without a name is called by where it is. */
function threadName(name: string): string {
  return name.replace(/^(#\d+ )(?:.*\/)?([^/]+:\d+):in .*$/s, "$1$2");
}
