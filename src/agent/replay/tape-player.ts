/** Answers requests from a tape, in the order in which they come, and keeps the account. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { Masker } from "../../util/secrets/mask.ts";
import type { RequestView } from "../core/model.ts";
import { sendFailure, unreachable } from "../proxy/failure.ts";
import { CALL_HEADER, responseHeaders } from "../proxy/headers.ts";
import { Identities, type Identity } from "../proxy/identity.ts";
import type { Upstream } from "../proxy/upstream.ts";
import type { Blobs } from "../store/blobs.ts";
import { readRequest } from "../wire/request.ts";
import { type HttpWire, type Route, wireOf } from "../wire/routes.ts";
import { syntheticAnswer } from "../wire/synthetic.ts";
import { ForkEdits } from "./fork-edit.ts";
import { type Match, Matcher } from "./matcher.ts";
import type { ServeOptions } from "./options.ts";
import { playAnswer } from "./play-answer.ts";
import { recordedAnswer } from "./recorded-answer.ts";
import { countServed, type Divergence, type Served, type TapeReport } from "./report.ts";
import { StandingInjections } from "./standing.ts";
import type { Tape, TapeCall } from "./tape.ts";
import { volatile } from "./volatile.ts";

export interface PlayerOptions extends Omit<ServeOptions, "folder" | "port" | "signal"> {
  tape: Tape;
  blobs: Blobs;
  /** Of a fork: who answers from there on. */
  upstream: Upstream | undefined;
  readText(stored: unknown): Promise<string>;
  closing: AbortSignal;
  onDivergence(divergence: Divergence): void;
}

export interface Asking {
  request: IncomingMessage;
  response: ServerResponse;
  /** Behind the token. */
  path: string;
  body: Buffer;
}

interface ModelCallAsked extends Asking {
  route: Route;
  text: string;
  view: RequestView;
  identity: Identity;
}

export class TapePlayer {
  readonly #options: PlayerOptions;
  readonly #matcher: Matcher;
  readonly #identities = new Identities();
  readonly #masker = new Masker();
  readonly #report: TapeReport;
  readonly #upstream: Upstream | undefined;
  readonly #edits: ForkEdits;
  readonly #standing: StandingInjections;
  /** Agents that a real provider answers by now. */
  readonly #live = new Map<string, "edited" | "plain">();

  constructor(options: PlayerOptions) {
    this.#options = options;
    const { tape, fork, ignore, readText } = options;
    const cwds = [tape.cwd, options.cwd ?? process.cwd()].filter((cwd) => cwd !== undefined);
    this.#matcher = new Matcher(tape, readText, volatile({ cwds, ignore }));
    this.#upstream = options.upstream;
    this.#edits = new ForkEdits(fork?.edit);
    this.#standing = new StandingInjections(tape.injections, readText);
    this.#report = {
      session: tape.session,
      calls: tape.calls.length,
      exact: 0,
      minor: 0,
      passedOver: {},
      again: 0,
      defaults: 0,
      forwarded: 0,
      left: 0,
      lost: [],
      divergence: undefined,
    };
  }

  report(): TapeReport {
    return {
      ...this.#report,
      left: this.#matcher.left,
      lost: [...this.#edits.lost, ...Array(this.#standing.lost).fill("a message injected in the recording")],
    };
  }

  close(): void {
    this.#upstream?.close();
  }

  async answer(asking: Asking): Promise<void> {
    const { request, path, body } = asking;
    const route = wireOf(request.method ?? "GET", path);
    if (route === undefined) return this.#noModelCall(asking);
    const text = body.toString("utf8");
    const view = readRequest(route.wire, text);
    const call = {
      ...asking,
      route,
      text,
      view,
      identity: this.#identities.of(request.headers, view, route),
    };
    const agent = call.identity.agent.id;
    const live = this.#live.get(agent);
    if (live !== undefined) {
      const whole = this.#standing.within(agent, route.wire, text);
      const edited = live === "edited" ? this.#edits.later(route.wire, whole) : whole;
      return this.#forward(call, undefined, edited);
    }
    const stopped = this.#report.divergence;
    if (stopped !== undefined && call.identity.class !== "auxiliary") {
      return this.#refuse(call, `replay has stopped: ${stopped.message}`);
    }
    const match = await this.#matcher.match({ wire: route.wire, body: this.#masker.mask(text).text, agent });
    return this.#answerMatch(call, match);
  }

  async #answerMatch(call: ModelCallAsked, match: Match): Promise<void> {
    const { class: kind, agent } = call.identity;
    const fork = this.#options.fork;
    if (match.found !== "call" && kind === "auxiliary") return this.#default(call);
    const due = match.found === "end" ? undefined : match.call.req;
    if (fork !== undefined && kind !== "auxiliary" && (due === undefined || due >= fork.req)) {
      const isFork = due === fork.req;
      const { wire } = call.route;
      const whole = this.#standing.within(agent.id, wire, call.text);
      const body = isFork ? this.#edits.first(wire, whole) : whole;
      this.#live.set(agent.id, isFork ? "edited" : "plain");
      return this.#forward(call, due, body);
    }
    if (match.found === "call") return this.#play(call, match.call, match);
    const divergence = divergenceOf(match, agent.id, this.#options.tape);
    this.#diverge(divergence, call.response);
    this.#refuse(call, divergence.message);
  }

  async #play(asked: ModelCallAsked, call: TapeCall, match: Match & { found: "call" }): Promise<void> {
    const { answer } = call;
    const { response, route, identity } = asked;
    await this.#standing.played(call.req, identity.agent.id, route.wire, asked.text);
    const facts = { req: call.req, agent: call.agent };
    if (answer === undefined)
      return this.#stop(asked, "unanswered", call, `call ${call.req} was never answered in the recording`);
    const recorded = await recordedAnswer(
      call,
      answer,
      { wire: route.wire, view: asked.view },
      this.#options,
    );
    if (recorded === undefined) {
      const message = `the recording does not have the answer to call ${call.req} as it came: it held a secret, or was too long`;
      return this.#stop(asked, "no_bytes", call, message);
    }
    this.#tell({ from: "tape", ...facts, grade: match.grade, kinds: match.kinds, again: match.again });
    if (recorded === "broken") {
      response.destroy();
      return;
    }
    const { timed = false, speed = 1, closing } = this.#options;
    const pace =
      timed && answer.kind === "response"
        ? { firstMs: answer.firstMs, durationMs: answer.durationMs, speed }
        : undefined;
    await playAnswer(response, recorded, pace, closing);
  }

  async #forward(call: ModelCallAsked, req: number | undefined, body: string): Promise<void> {
    const { request, response, path, identity } = call;
    const upstream = this.#upstream;
    if (upstream === undefined) throw new Error("there is no provider to forward to");
    const edited = body === call.text ? undefined : body;
    const given = request.headers[CALL_HEADER];
    const number = typeof given === "string" ? Number(given) : undefined;
    this.#tell({ from: "upstream", req, agent: identity.agent.id, body: edited, call: number });
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const { method = "POST", rawHeaders } = request;
    try {
      const unpacked = rawHeaders.filter(
        (_, at) => !OURS.includes(rawHeaders[at - (at % 2)]?.toLowerCase() ?? ""),
      );
      const target = upstreamPath(upstream.base, call.route.wire, path);
      const outgoing = { method, path: target, rawHeaders: unpacked, signal: gone.signal };
      const answer = await upstream.send(outgoing, Buffer.from(body));
      response.writeHead(answer.statusCode ?? 502, responseHeaders(answer.rawHeaders));
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    } catch (error) {
      sendFailure(response, call.route.wire, unreachable(upstream.base, error));
    }
  }

  /** Questions beside the work. What they would have said is not known, so they get the plainest answer there is. */
  #default({ response, route, view, identity }: ModelCallAsked): void {
    this.#tell({
      from: "default",
      what: route.auxiliary ? "token count" : `auxiliary call of ${identity.agent.id}`,
    });
    if (route.auxiliary) {
      sendJson(response, { input_tokens: Math.ceil(view.body.length / 4) });
      return;
    }
    const type = view.stream ? "text/event-stream" : "application/json";
    response.writeHead(200, { "content-type": type });
    response.end(syntheticAnswer(route.wire, view, this.#report.defaults, "Replay"));
  }

  #noModelCall({ request, response, path }: Asking): void {
    this.#tell({ from: "default", what: `${request.method} ${path.split("?")[0]}` });
    if (request.method === "HEAD" || path === "/") response.writeHead(200).end();
    else if (request.method === "GET" && /\/models$/.test(path.split("?")[0] ?? "")) {
      const models = [...new Set(this.#options.tape.calls.map(({ model }) => model))];
      sendJson(response, {
        object: "list",
        data: models.map((id) => ({ id, object: "model", type: "model" })),
        has_more: false,
      });
    } else
      sendFailure(response, undefined, {
        status: 404,
        type: "not_found_error",
        message: "sonde: not part of the recording",
        retry: false,
      });
  }

  #stop(asked: ModelCallAsked, kind: Divergence["kind"], call: TapeCall, message: string): void {
    this.#diverge({ kind, req: call.req, agent: call.agent, message, more: 0 }, asked.response);
    this.#refuse(asked, message);
  }

  #refuse({ response, route }: ModelCallAsked, message: string): void {
    sendFailure(response, route.wire, {
      status: 400,
      type: "invalid_request_error",
      message: `sonde: ${message}`,
      retry: false,
    });
  }

  /** Something of the recording cannot be read, or a request cannot: said to the agent and to who replays. */
  failed(response: ServerResponse, path: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#diverge({ kind: "failed", req: undefined, agent: "main", message, more: 0 }, response);
    sendFailure(response, wireOf("POST", path)?.wire, {
      status: 400,
      type: "invalid_request_error",
      message: `sonde: ${message}`,
      retry: false,
    });
  }

  /** Told when the agent has heard of it: who is told may close the server. */
  #diverge(divergence: Divergence, response: ServerResponse): void {
    if (this.#report.divergence !== undefined) return;
    this.#report.divergence = divergence;
    if (response.closed) this.#options.onDivergence(divergence);
    else response.once("close", () => this.#options.onDivergence(divergence));
  }

  #tell(served: Served): void {
    countServed(this.#report, served);
    this.#options.onServed?.(served);
  }
}

/** What was said between the proxy and us: the body is not packed any more, and the number is nobody else's business. */
const OURS = ["content-encoding", CALL_HEADER];

function divergenceOf(
  match: Exclude<Match, { found: "call" }>,
  agent: string,
  { session, calls }: Tape,
): Divergence {
  if (match.found === "end") {
    const message = `the recording ${session} has no further call of agent ${agent} (it holds ${calls.length} in all)`;
    return { kind: "end", req: undefined, agent, message, more: 0 };
  }
  const { call, difference, more } = match;
  const others = more === 0 ? "" : ` (and ${more} more ${more === 1 ? "difference" : "differences"})`;
  const message = `the request is not call ${call.req} of the recording ${session}: ${difference.where} was "${difference.recorded}", is "${difference.got}"${others}`;
  return { kind: "different", req: call.req, agent, message, difference, more };
}

/** OpenAI's clients count `/v1` to the base URL, and so does who names one; Anthropic's do not. */
function upstreamPath({ pathname }: URL, wire: HttpWire, path: string): string {
  const counted = wire === "anthropic" ? /\/v1\/?$/.test(pathname) : pathname !== "/";
  return counted && path.startsWith("/v1/") ? path.slice(3) : path;
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}
