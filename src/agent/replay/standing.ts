/**
 * Messages that were put into the recorded conversation by hand. The agent does not know of them: where a fork goes on with a real
 * provider, they are put where the model read them then.
 */
import type { Placed, Wire } from "../core/model.ts";
import { editRequest } from "../wire/edit-request.ts";
import { place } from "../wire/placement.ts";
import type { TapeInjection } from "./tape.ts";

export class StandingInjections {
  readonly #recorded: readonly TapeInjection[];
  readonly #readText: (stored: unknown) => Promise<string>;
  readonly #byAgent = new Map<string, Placed[]>();
  /** How many could not be kept, because the conversation no longer has the place. */
  lost = 0;

  constructor(recorded: readonly TapeInjection[], readText: (stored: unknown) => Promise<string>) {
    this.#recorded = recorded;
    this.#readText = readText;
  }

  /** This request is the one that they went with. */
  async played(req: number, agent: string, wire: Wire, body: string): Promise<void> {
    for (const { id, role, content } of this.#recorded.filter((one) => one.req === req)) {
      const injection = { id, role, content: await this.#readText(content) };
      const [anchored] = place(wire, body, [], [injection]).anchors;
      const standing = this.#byAgent.get(agent) ?? [];
      this.#byAgent.set(agent, [...standing, { ...injection, ...(anchored && { anchor: anchored.anchor }) }]);
    }
  }

  /** A request of the agent's with all that it does not know of. */
  within(agent: string, wire: Wire, body: string): string {
    const standing = this.#byAgent.get(agent);
    if (standing === undefined) return body;
    const { insert, lost } = place(wire, body, standing, []);
    this.lost += lost.length;
    this.#byAgent.set(
      agent,
      standing.filter(({ id }) => !lost.includes(id)),
    );
    return editRequest(wire, body, { insert });
  }
}
