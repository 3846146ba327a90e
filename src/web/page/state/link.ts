/**
 * The page's one connection: calls of commands and their answers, topics and what is sent about them. Opens again by itself.
 *
 * Seams: `call(command, args, options)` runs a command of the registry and resolves with its answer, never throws for an error of the
 * command (`Answer`); `watch(topic, listener)` delivers events until the function it returns is called. Nothing else talks to the server.
 * A page that was exported has no server: what its calls answer stands in the document (`Stored`).
 */
import { signal } from "@preact/signals";
import type { Entered, FromPage, Hello, PageError, ToPage, Topic } from "../../protocol.ts";
import { noteLine } from "./transcript.ts";

export type Answer<T> =
  | { ok: true; data: T; text: string; line: string }
  | { ok: false; error: PageError; line: string };

/** `off`: the secret is not (or no longer) good, a new link is needed. `stored`: a page without a server. */
export type LinkState = "connecting" | "open" | "lost" | "off" | "stored";

export const linkState = signal<LinkState>("connecting");
export const hello = signal<Hello | undefined>(undefined);

type EventOf<T extends Topic> = Extract<ToPage, { topic: T }> extends { event: infer E } ? E : never;
type Listener = (event: never) => void;

interface Pending {
  settle(answer: Answer<unknown>): void;
  chunk: ((text: string) => void) | undefined;
  quiet: boolean;
}

/** What an exported page answers. */
interface Stored {
  hello: Hello;
  calls: { command: string; args: Record<string, unknown>; session?: string; answer: Answer<unknown> }[];
}

const SECRET = "sonde-secret";
/** A connection that has lasted so long is a good one. */
const STEADY_MS = 3_000;
const pending = new Map<number, Pending>();
const listeners = new Map<Topic, Set<Listener>>();
/** What a topic's last event said to go on from. */
const since = new Map<Topic, { since: number; launch: string }>();
let socket: WebSocket | undefined;
let nextId = 1;
let tries = 0;
let stored: Stored | undefined;
const unsent: FromPage[] = [];

export function isReadOnly(): boolean {
  return linkState.value === "stored" || (hello.value?.readOnly ?? false);
}

/** Lets the tab in and opens the socket. */
export async function connect(): Promise<void> {
  const embedded = document.getElementById("sonde-stored")?.textContent;
  if (embedded) {
    stored = JSON.parse(embedded) as Stored;
    hello.value = { ...stored.hello, readOnly: true };
    linkState.value = "stored";
    return;
  }
  const key = /^#k=(.+)$/.exec(location.hash)?.[1];
  if (key !== undefined) {
    history.replaceState(history.state, "", location.pathname + location.search);
    // What another tab may do is not this link's to give: a link that is no longer good leaves this tab what it had.
    if (!(await enter(key)) && ownSecret() === null) {
      linkState.value = "off";
      return;
    }
  }
  open();
}

async function enter(key: string): Promise<boolean> {
  try {
    const response = await fetch("/enter", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key }),
    });
    if (!response.ok) return false;
    const { secret, readOnly } = (await response.json()) as Entered;
    sessionStorage.setItem(SECRET, secret);
    // A view that is opened in another tab of this browser has it too. One to watch with does not take the place of one that may do more.
    if (!readOnly || localStorage.getItem(SECRET) === null) localStorage.setItem(SECRET, secret);
    return true;
  } catch {
    return false;
  }
}

function ownSecret(): string | null {
  return sessionStorage.getItem(SECRET);
}

function knownSecret(): string | null {
  return ownSecret() ?? localStorage.getItem(SECRET);
}

function open(): void {
  const secret = knownSecret();
  if (secret === null) {
    linkState.value = "off";
    return;
  }
  const one = new WebSocket(`ws://${location.host}/socket`, ["sonde", secret]);
  socket = one;
  let steady: ReturnType<typeof setTimeout> | undefined;
  one.onopen = () => {
    // One that is closed as soon as it is open has not helped.
    steady = setTimeout(() => {
      tries = 0;
    }, STEADY_MS);
    linkState.value = "open";
    for (const topic of listeners.keys()) send(watching(topic));
    for (const message of unsent.splice(0)) send(message);
  };
  one.onmessage = ({ data }: MessageEvent<string>) => receive(JSON.parse(data) as ToPage);
  one.onclose = () => {
    clearTimeout(steady);
    if (socket !== one) return;
    socket = undefined;
    for (const { settle } of pending.values())
      settle(failure("LINK_LOST", "the connection to Sonde was lost"));
    pending.clear();
    // They were said to have failed: they must not be done later.
    unsent.length = 0;
    void again(secret);
  };
}

/** A tab that slept, a server that was started again: the secret tells which. */
async function again(secret: string): Promise<void> {
  linkState.value = "lost";
  if (tries > 0) await new Promise((done) => setTimeout(done, Math.min(5000, 100 * 2 ** tries)));
  tries += 1;
  try {
    const response = await fetch("/entered", { headers: { "x-sonde-secret": secret } });
    if (response.status === 401) {
      linkState.value = "off";
      return;
    }
  } catch {
    // The server is not there: perhaps it comes back.
  }
  if (tries <= 8) open();
  else linkState.value = "off";
}

function send(message: FromPage): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function receive(message: ToPage): void {
  if ("hello" in message) {
    hello.value = message.hello;
    return;
  }
  if ("topic" in message) {
    if ("cursor" in message.event)
      since.set(message.topic, { since: message.event.cursor, launch: message.event.launch });
    for (const listener of listeners.get(message.topic) ?? []) listener(message.event as never);
    return;
  }
  const waiting = pending.get(message.id);
  if (waiting === undefined) return;
  if ("chunk" in message) {
    waiting.chunk?.(message.chunk);
    return;
  }
  pending.delete(message.id);
  waiting.settle(message.ok ? message : { ...message, line: message.line ?? "" });
}

function failure(code: string, message: string): Answer<never> {
  return { ok: false, error: { code, message }, line: "" };
}

export interface CallOptions {
  session?: string;
  cwd?: string;
  /** The page asks for itself (to draw): it does not stand in the transcript. */
  quiet?: boolean;
  chunk?: (text: string) => void;
  signal?: AbortSignal;
}

/** Runs a command. What a person did is written down, with the line that does the same. */
export async function call<T>(
  command: string,
  args: Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<Answer<T>> {
  if (stored !== undefined) return answered<T>(command, args, options.session);
  const id = nextId++;
  const message: FromPage = {
    do: "call",
    id,
    command,
    args,
    ...(options.session === undefined ? {} : { session: options.session }),
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  };
  const answer = await new Promise<Answer<T>>((resolve) => {
    const settle = resolve as (answer: Answer<unknown>) => void;
    pending.set(id, { settle, chunk: options.chunk, quiet: options.quiet ?? false });
    options.signal?.addEventListener("abort", () => send({ do: "cancel", id }));
    if (socket?.readyState === WebSocket.OPEN) send(message);
    else unsent.push(message);
  });
  if (!options.quiet && answer.line !== "") noteLine(answer.line, answer.ok);
  return answer;
}

/** In an order of their own, and without those that have no value. */
function keyOf(command: string, args: Record<string, unknown>, session?: string): string {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return JSON.stringify([command, given.sort(([a], [b]) => (a < b ? -1 : 1)), session ?? ""]);
}

function answered<T>(command: string, args: Record<string, unknown>, session?: string): Answer<T> {
  const wanted = keyOf(command, args, session);
  const found = stored?.calls.find((one) => keyOf(one.command, one.args, one.session) === wanted);
  return (
    (found?.answer as Answer<T> | undefined) ?? failure("STORED", "this page was saved without that part")
  );
}

function watching(topic: Topic): FromPage {
  return { do: "watch", topic, ...since.get(topic) };
}

/** Events of a topic, the present state first. */
export function watch<T extends Topic>(topic: T, listener: (event: EventOf<T>) => void): () => void {
  const all = listeners.get(topic) ?? new Set<Listener>();
  const isFirst = all.size === 0;
  all.add(listener as Listener);
  listeners.set(topic, all);
  if (isFirst) send(watching(topic));
  return () => {
    all.delete(listener as Listener);
    if (all.size > 0) return;
    listeners.delete(topic);
    since.delete(topic);
    send({ do: "unwatch", topic });
  };
}
