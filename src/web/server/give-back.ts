/** Gives the agent back what a person has taken over and can no longer see. */
import type { Places } from "../../client/paths.ts";
import type { SessionRow } from "../protocol.ts";
import { rowsIn } from "./asking.ts";
import { Daemon } from "./daemon.ts";

/** Never starts a daemon: without one there is nothing to give. */
export async function giveBack(places: Places, why: string): Promise<void> {
  const daemon = new Daemon(places, false);
  const asked = { cwd: "/", readOnly: false };
  try {
    const answer = await daemon.ask({ ...asked, command: "sessions" });
    const rows = answer?.ok ? rowsIn(answer.data as Record<string, unknown>, "sessions") : [];
    const taken = (rows as unknown as SessionRow[]).filter(({ owner }) => owner.who === "person");
    await Promise.all(
      taken.map(({ name }) =>
        daemon.ask({ ...asked, command: "handover give", args: { why }, session: name }),
      ),
    );
  } finally {
    daemon.close();
  }
}
