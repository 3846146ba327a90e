/** A sentence of ours: what can be done about it is a button that does it. A value that is missing is asked for in the command line. */
import type { CallPart, PageTold } from "../../protocol.ts";
import { act, canAct } from "../state/doing.ts";
import { copy } from "../state/say.ts";
import { plain } from "./text.ts";

export function Told({ told }: { told: PageTold }) {
  if (typeof told === "string") return <span class="told">{plain(told)}</span>;
  return (
    <span class="told">
      {told.say.map((part, at) => {
        if (typeof part === "string") return plain(part);
        return part.do === "call" ? <Doing key={at} call={part} /> : <code key={at}>{plain(part.text)}</code>;
      })}
    </span>
  );
}

/** Runs it; one that lacks a value, or a page that may not act, copies its line instead. */
export function Doing({ call, title }: { call: CallPart; title?: string }) {
  const runs = canAct() && (call.blanks ?? []).length === 0;
  const onClick = () => (runs ? void run(call) : void copy(call.line, "command"));
  return (
    <button
      type="button"
      class="doing"
      onClick={onClick}
      title={runs ? `run: ${call.line}` : `copy: ${call.line}`}
    >
      {title ?? plain(call.line, 200)}
      <span class="hint-mark">{runs ? "▸" : "⧉"}</span>
    </button>
  );
}

async function run({ command, args, session, following }: CallPart): Promise<void> {
  const done = await act(command, args, session === undefined ? {} : { session });
  if (done !== undefined && following !== undefined) await run(following);
}

/** A command to type, with a button that copies it. */
export function Typed({ line }: { line: string }) {
  return (
    <span class="typed">
      <code>{line}</code>
      <button type="button" onClick={() => void copy(line, "command")} aria-label={`copy ${line}`}>
        copy
      </button>
    </span>
  );
}
