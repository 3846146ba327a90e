/** What is typed about something that is held: another input, another request, a message, a reason. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { inexactNumbers } from "../../../util/exact-json.ts";
import { Dialog } from "../parts/dialog.tsx";
import { many, oneLine } from "../parts/text.ts";
import { act } from "../state/doing.ts";
import { call } from "../state/link.ts";
import { requestWarnings } from "./request-warnings.ts";
import { type HeldStop, placeOf, type RunData } from "./run-data.ts";

interface FormProps {
  run: RunData;
  stop: HeldStop;
  close(): void;
}

/** A tool's input, or the whole body of a request, as JSON. */
export function EditForm({ run, stop, close }: FormProps) {
  const isTool = stop.at === "tool";
  const before = useSignal<unknown>(stop.tool?.input);
  const text = useSignal(isTool ? (stop.tool?.exact ?? pretty(stop.tool?.input)) : "");
  /** Numbers that stand there already: unless they are changed they are sent as they are. */
  const large = useSignal(inexactNumbers(text.value));
  useEffect(() => {
    if (!isTool)
      void call<{ request?: unknown; exact?: string }>(
        "agent inspect",
        { what: "request", agent: stop.agent.id },
        { session: run.id, quiet: true },
      ).then((answer) => {
        if (!answer.ok) return;
        const { request, exact } = answer.data;
        before.value = request;
        text.value = exact ?? pretty(request);
        large.value = inexactNumbers(text.value);
      });
  }, []);
  const parsed = parse(text.value, large.value);
  const warnings = isTool || parsed.value === undefined ? [] : requestWarnings(before.value, parsed.value);
  const send = async (resume: boolean) => {
    if (parsed.value === undefined) return;
    const session = { session: run.id };
    const done = isTool
      ? await act("agent edit", { tool: stop.tool?.id, input: parsed.value, resume }, session)
      : await act("agent edit-request", { body: parsed.value, stop: stop.id, resume }, session);
    if (done !== undefined) close();
  };
  return (
    <Dialog title={`Edit what is held ${placeOf(stop)}`} close={close}>
      <div class="fields wide">
        <label class="field">
          <span>{isTool ? "input" : "request"} (JSON)</span>
          <textarea
            class="json"
            rows={18}
            spellcheck={false}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        {parsed.problem === undefined ? "" : <p class="warn">not yet: {oneLine(parsed.problem, 200)}</p>}
        {warnings.length === 0 ? (
          ""
        ) : (
          <div class="warn" role="alert">
            <p>{many(warnings.length, "thing")} a provider may refuse:</p>
            <ul>
              {warnings.slice(0, 6).map((one) => (
                <li key={one}>{oneLine(one, 240)}</li>
              ))}
            </ul>
          </div>
        )}
        <div class="field-end">
          <button type="button" disabled={parsed.value === undefined} onClick={() => void send(false)}>
            change, keep holding
          </button>
          <button
            type="button"
            class="main-button"
            disabled={parsed.value === undefined}
            onClick={() => void send(true)}
          >
            change and release
          </button>
        </div>
      </div>
    </Dialog>
  );
}

export function InjectForm({ run, close }: { run: RunData; close(): void }) {
  const role = useSignal("user");
  const text = useSignal("");
  const send = async () => {
    const args = { role: role.value, text: text.value };
    if ((await act("agent inject", args, { session: run.id })) !== undefined) close();
  };
  return (
    <Dialog title="Inject a message" close={close}>
      <div class="fields">
        <label class="field">
          <span>who says it</span>
          <select value={role.value} onChange={({ currentTarget }) => (role.value = currentTarget.value)}>
            <option>user</option>
            <option>system</option>
            <option>assistant</option>
          </select>
        </label>
        <label class="field">
          <span>what</span>
          <textarea
            rows={5}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <p class="quiet">
          It is sent with the held call, or with the next one, and stays in all later requests.
        </p>
        <div class="field-end">
          <span />
          <button type="button" class="main-button" disabled={text.value === ""} onClick={() => void send()}>
            inject
          </button>
        </div>
      </div>
    </Dialog>
  );
}

/** A tool call does not run; a request is not sent. */
export function DenyForm({ run, stop, close }: FormProps) {
  const isTool = stop.at === "tool";
  const text = useSignal("");
  const send = async () => {
    const said = text.value === "" ? {} : isTool ? { reason: text.value } : { text: text.value };
    const done = isTool
      ? await act("agent cancel", { tool: stop.tool?.id, ...said }, { session: run.id })
      : await act("agent kill-call", { stop: stop.id, ...said }, { session: run.id });
    if (done !== undefined) close();
  };
  return (
    <Dialog
      title={isTool ? `Deny ${oneLine(stop.tool?.name ?? "", 40)}` : "Do not send this call"}
      close={close}
    >
      <div class="fields">
        <label class="field">
          <span>
            {isTool
              ? "the reason that the model gets (optional)"
              : "the answer that the agent gets instead (empty: an error)"}
          </span>
          <textarea
            rows={3}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <div class="field-end">
          <span />
          <button type="button" class="main-button" onClick={() => void send()}>
            {isTool ? "deny" : "do not send"}
          </button>
        </div>
      </div>
    </Dialog>
  );
}

function pretty(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, undefined, 2);
}

function parse(
  text: string,
  large: readonly string[],
): { value?: Record<string, unknown>; problem?: string } {
  if (text === "") return {};
  const other = inexactNumbers(text).find((one) => !large.includes(one));
  if (other !== undefined) return { problem: `${other} cannot be sent exactly from here` };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { problem: "it must be an object: { … }" };
    return { value: value as Record<string, unknown> };
  } catch (thrown) {
    return { problem: (thrown as Error).message };
  }
}
