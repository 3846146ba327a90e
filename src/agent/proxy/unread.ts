/** A call to a model that cannot be read here, and so cannot be held: it passes only while nothing is to be held. */
import type { Exchange, ProxyContext } from "./context.ts";
import { sendFailure } from "./failure.ts";
import { passThrough } from "./passing.ts";

/** `head`: what has been read of its body; `what`: why it cannot be read, as a subject of a sentence. */
export async function serveUnread(
  { bridge, log }: ProxyContext,
  exchange: Exchange,
  { head, what }: { head: readonly Buffer[]; what: string },
): Promise<void> {
  const { request, response, route } = exchange;
  const say = (became: string) => log.append("error", { message: `${what} ${became}`, context: "proxy" });
  if (route.auxiliary || !bridge.mayHold()) {
    say("was passed on without being read");
    return passThrough({ ...exchange, head });
  }
  say("was refused: it cannot be read, and calls may have to be held now");
  request.resume(); // the client may listen only after it has sent everything
  const message = `sonde: ${what} cannot be read here. It was not sent, because a pause or a breakpoint may apply to it.`;
  sendFailure(response, route.wire, { status: 400, type: "invalid_request_error", message, retry: false });
}
