/** The inspector of one process: its WebSocket as a CDP session. */
import { CdpSession } from "./cdp-session.ts";
import { openWebSocket } from "./web-socket.ts";

const CONNECT_MS = 5000;

export interface InspectorConnection {
  cdp: CdpSession;
  /** Leaves the inspector; every pending send is rejected. */
  close(): void;
}

export async function connectInspector(
  url: string,
  log: (message: string) => void,
  timeoutMs = CONNECT_MS,
): Promise<InspectorConnection> {
  const socket = await openWebSocket(url, timeoutMs);
  const cdp = new CdpSession((text) => socket.send(text), log);
  socket.start({
    onText: (text) => cdp.receive(text),
    onClose: (why) => cdp.end(why),
  });
  const close = () => {
    cdp.end("the debugger left");
    socket.close();
  };
  return { cdp, close };
}
