/** The inspector of one process: its WebSocket as a CDP session. */
import { CdpSession } from "./cdp-session.ts";
import { openWebSocket } from "./web-socket.ts";

const CONNECT_MS = 5000;
/** A program that is blocked does not answer; we leave it all the same. */
const LEAVE_MS = 2000;
/** A number that no request of the session has. Any inspector answers the method, if only that it does not know it. */
const LAST_REQUEST = { id: 1_000_000_001, method: "Runtime.getIsolateId" };

export interface InspectorConnection {
  cdp: CdpSession;
  /**
   * Leaves the inspector; every pending send is rejected. The socket itself is closed behind the last answer: Node's inspector
   * writes an answer that comes up just as the stream ends to a socket it has let go, and the program dies of it (SIGSEGV).
   */
  close(): void;
}

export async function connectInspector(
  url: string,
  log: (message: string) => void,
  timeoutMs = CONNECT_MS,
): Promise<InspectorConnection> {
  const socket = await openWebSocket(url, timeoutMs);
  const cdp = new CdpSession((text) => socket.send(text), log);
  let leaving: NodeJS.Timeout | undefined;
  socket.start({
    onText: (text) => {
      if (leaving === undefined) cdp.receive(text);
      else if (isLastAnswer(text)) socket.close();
    },
    onClose: (why) => {
      clearTimeout(leaving);
      cdp.end(why);
    },
  });
  const close = () => {
    if (cdp.isClosed) return;
    cdp.end("the debugger disconnected");
    // Requests are answered in their order, so behind this answer there is none to come.
    socket.send(JSON.stringify(LAST_REQUEST));
    leaving = setTimeout(() => socket.close(), LEAVE_MS);
  };
  return { cdp, close };
}

function isLastAnswer(text: string): boolean {
  const { id } = JSON.parse(text) as { id?: number };
  return id === LAST_REQUEST.id;
}
