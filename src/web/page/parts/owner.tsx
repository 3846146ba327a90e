/** Whose hands are on a session. */
import type { Owner } from "../../protocol.ts";
import { clock } from "./text.ts";

export function OwnerTag({ owner }: { owner: Owner | undefined }) {
  if (owner === undefined) return null;
  return (
    <span class={`owner o-${owner.who}`} title={`since ${clock(owner.since)}`}>
      {owner.who === "person" ? "yours" : "agent's"}
      {owner.asked === undefined ? "" : " · asked for"}
    </span>
  );
}
