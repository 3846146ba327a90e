/** Stands for an agent: notes the commands that reach it and answers as it is told. */
import type { AgentCommand, CommandAnswer } from "../../../src/agent/core/commands.ts";
import type { CommandOrigin, CommandRunner } from "../../../src/agent/inbox/runner.ts";
import type { SessionFolder } from "../../../src/agent/store/layout.ts";
import { EventLog } from "../../../src/agent/store/log.ts";
import { deferred } from "../../../src/util/wait.ts";

export class Recorder implements CommandRunner {
  readonly seen: { command: AgentCommand; origin: CommandOrigin }[] = [];
  readonly log: EventLog;
  #look = () => {};

  constructor(folder: SessionFolder) {
    this.log = EventLog.open(folder);
  }

  get ids(): string[] {
    return this.seen.map(({ command }) => command.id);
  }

  async command(command: AgentCommand, origin: CommandOrigin): Promise<CommandAnswer> {
    const { id: commandId, type, data } = command;
    this.seen.push({ command, origin });
    this.#look();
    this.log.append("command_executed", { commandId, type, origin });
    if (type === "hang") return new Promise(() => {});
    if (type === "fail") throw new Error("it cannot be done");
    const answer: CommandAnswer = { commandId, type, ok: true, data: { echo: data } };
    this.log.append("command_response", { ...answer });
    return answer;
  }

  async until(count: number): Promise<void> {
    const { promise, resolve } = deferred<void>();
    this.#look = () => this.seen.length >= count && resolve();
    this.#look();
    await promise;
  }
}
