/** Everything behind a request, with no socket in sight: the daemon serves one of these, the library may hold one in process. */
import { dirname } from "node:path";
import { configuredAdapters } from "../adapters/configured.ts";
import { ADAPTERS } from "../adapters/registry.ts";
import { Guard } from "../session/processes/guard.ts";
import { sessionOf } from "../session/session.ts";
import { TraceStore } from "../trace/store.ts";
import { checkTrusted } from "../util/own-folder.ts";
import { dispatch } from "./dispatch.ts";
import { NamedPaths } from "./request/named-paths.ts";
import { Feed } from "./sessions/feed.ts";
import { AllHands } from "./sessions/hands.ts";
import { LaunchTable } from "./sessions/table.ts";
import { Watchers } from "./sessions/watchers.ts";
import type { EngineOptions, EngineState, OwnEngine } from "./types.ts";

export type { Engine, EngineOptions, EngineReply, EngineRequest, OwnEngine, RequestIo } from "./types.ts";

export function createEngine(options: EngineOptions): OwnEngine {
  const listeners: (() => void)[] = [];
  const table = new LaunchTable(options.config.daemon.session_idle_minutes * 60_000, () => {
    for (const listener of listeners) listener();
  });
  checkTrusted(dirname(options.adapters));
  checkTrusted(options.adapters);
  const closing = new AbortController();
  const feed = new Feed(table);
  const state: EngineState = {
    options,
    table,
    guard: new Guard(),
    traces: new TraceStore(options.places.traces),
    startedAt: Date.now(),
    began: performance.now(),
    adapters: [...configuredAdapters(options.config.adapters), ...ADAPTERS],
    feed,
    hands: new AllHands((what, launch) => feed.add(what, launch.name)),
    named: new NamedPaths(),
    watchers: new Watchers(),
    closing: closing.signal,
    jobs: new Set(),
  };
  return {
    handle: (request, io) => dispatch(state, request, io),
    get sessions() {
      return table.live.length;
    },
    get isEmpty() {
      return table.isEmpty && state.jobs.size === 0;
    },
    session: (name) => {
      const launch = table.all.find((one) => one.name === name);
      return launch && sessionOf(launch);
    },
    onSessions: (listener) => {
      listeners.push(listener);
    },
    close: async () => {
      table.close();
      closing.abort();
      await Promise.all(table.all.map((launch) => launch.end()));
      await Promise.allSettled(state.jobs);
      state.guard.close();
    },
  };
}
