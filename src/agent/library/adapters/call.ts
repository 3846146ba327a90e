/** What is known of a call to a model that is under way. */
import type { ModelCall } from "../../core/model.ts";
import type { HttpWire } from "../../wire/routes.ts";
import type { AgentName } from "../bridge.ts";

export interface HttpAdapterOptions {
  agent?: AgentName;
  /** False: the program passes its tool calls to `bridge.tool` itself. Else they are held, edited and cancelled in the answer, before the SDK sees them. */
  tools?: boolean;
}

export interface Call extends ModelCall {
  wire: HttpWire;
  req: number;
  began: number;
  options: HttpAdapterOptions;
}
