/** The guide to the Go program that a session runs, once it does. */
import type { Session } from "../../session/session.ts";
import { executableOf } from "../../util/process-facts.ts";
import type { Sink } from "../collector.ts";
import type { Plan } from "../plan.ts";
import type { Binding } from "../record.ts";
import { type GoGuide, goGuideIfAny } from "./guide.ts";

/** Tells the record what it says. Nothing of other programs. */
export function goGuideOf(plan: Plan, session: Session, sink: Sink): GoGuide | undefined {
  const { main, adapter } = session;
  if (main === undefined || !adapter.languages.includes("go")) return undefined;
  const running = main.pid === undefined ? undefined : executableOf(main.pid);
  const guide = goGuideIfAny(running ?? main.program, plan);
  for (const [point, { binding }] of (guide?.points ?? []).entries())
    if (binding !== undefined) sink.bind(point, binding);
  for (const note of guide?.notes ?? []) sink.note(note);
  return guide;
}

/** Breakpoints of dlv's on a line without code are taken to the next that has some: those are not of the line asked for. */
export function isMoved(binding: Binding, line: number): boolean {
  return binding.state === "bound" && binding.line !== line;
}

export function notMoved(binding: Binding, line: number): Binding {
  return binding.state === "bound" && binding.line !== line
    ? { state: "unbound", reason: "no code there", nearest: [binding.line] }
    : binding;
}
