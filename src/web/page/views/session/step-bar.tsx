/** Moving the program. What is of no use now is disabled, not gone: buttons never jump. */

import { act, canAct } from "../../state/doing.ts";
import type { Key } from "../../state/keys.ts";
import type { SessionState } from "../../state/sessions.ts";

type Place = () => { path: string; line: number } | undefined;

interface Step {
  command: string;
  title: string;
  key?: string;
  does: string;
  when: "stopped" | "running" | "any";
  args?(place: ReturnType<Place>): Record<string, unknown> | undefined;
}

const STEPS: readonly Step[] = [
  { command: "continue", title: "continue", key: "F5", does: "run to the next stop", when: "stopped" },
  {
    command: "next",
    title: "next",
    key: "F10",
    does: "run to the next line, stepping over calls",
    when: "stopped",
  },
  {
    command: "step",
    title: "step in",
    key: "F11",
    does: "run to the next line, stepping into calls",
    when: "stopped",
  },
  {
    command: "finish",
    title: "step out",
    key: "shift+F11",
    does: "run until this function returns",
    when: "stopped",
  },
  {
    command: "until",
    title: "to cursor",
    key: "c",
    does: "run to the line of the cursor",
    when: "stopped",
    args: (place) => (place === undefined ? undefined : { location: `${place.path}:${place.line}` }),
  },
  {
    command: "pause",
    title: "pause",
    key: "F6",
    does: "stop the running program where it is",
    when: "running",
  },
  { command: "restart", title: "restart", key: "r", does: "run it again from the start", when: "any" },
  { command: "stop", title: "end", does: "end the program and the session", when: "any" },
];

function isOf({ when }: Step, state: SessionState): boolean {
  const phase = state.phase.value;
  return canAct() && (when === "any" ? phase !== "gone" : when === phase);
}

function run(step: Step, state: SessionState, place: Place): void {
  if (!isOf(step, state)) return;
  const args = step.args === undefined ? {} : step.args(place());
  if (args !== undefined) void act(step.command, args, { session: state.name });
}

export function stepKeys(state: SessionState, place: Place): Key[] {
  return STEPS.flatMap((step) =>
    step.key === undefined ? [] : [{ key: step.key, does: step.does, run: () => run(step, state, place) }],
  );
}

export function StepBar({ state, place }: { state: SessionState; place: Place }) {
  return (
    <div class="step-bar" role="toolbar" aria-label="move the program">
      {STEPS.map((step) => (
        <button
          key={step.command}
          type="button"
          disabled={!isOf(step, state)}
          onClick={() => run(step, state, place)}
          title={step.does}
        >
          {step.title}
          {step.key === undefined ? "" : <kbd>{step.key.replace("shift+", "⇧")}</kbd>}
        </button>
      ))}
      <Progress state={state} />
    </div>
  );
}

function Progress({ state }: { state: SessionState }) {
  return state.phase.value === "running" ? <span class="quiet running">running</span> : null;
}
