/** All commands about agents, in the order help shows them. */
import type { Command } from "../define.ts";
import * as breakpoints from "./breakpoints.ts";
import { event, events } from "./events.ts";
import { exportCommand } from "./export.ts";
import * as goingBack from "./going-back.ts";
import { inspect } from "./inspect.ts";
import * as keeping from "./keeping.ts";
import * as moving from "./moving.ts";
import * as records from "./records.ts";
import * as requests from "./requests.ts";
import { sessions } from "./sessions.ts";
import { sse } from "./sse.ts";
import { status } from "./status.ts";
import * as terminal from "./terminal.ts";
import { timeline } from "./timeline.ts";
import * as tools from "./tools.ts";
import { wait } from "./waiting.ts";
import { watch } from "./watch.ts";

export const AGENT_COMMANDS: readonly Command[] = [
  terminal.run,
  sessions,
  wait,
  status,
  breakpoints.breakAdd,
  breakpoints.breakList,
  breakpoints.breakClear,
  breakpoints.breakClearAll,
  breakpoints.breakEnable,
  breakpoints.breakDisable,
  tools.edit,
  tools.cancel,
  moving.resume,
  moving.pause,
  moving.step,
  inspect,
  requests.inject,
  requests.set,
  requests.editRequest,
  requests.killCall,
  goingBack.checkpoint,
  goingBack.rewind,
  terminal.attach,
  watch,
  records.explain,
  records.transcript,
  records.replay,
  events,
  event,
  timeline,
  terminal.fork,
  sse,
  exportCommand,
  keeping.gc,
];
