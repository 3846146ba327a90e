import type { Rig } from "./rig.ts";

/** The arguments of each request of this name that an adapter was sent: the first one, or a later launch's. */
export function sent(rig: Rig, command: string, peer = 0): unknown[] {
  return (rig.peers[peer]?.received() ?? []).flatMap((message) => {
    const request = message as { command?: string; arguments?: unknown };
    return request.command === command ? [request.arguments] : [];
  });
}
