/** Who obeys the commands that come in. */
import type { AgentCommand, CommandAnswer } from "../core/commands.ts";

export type CommandOrigin = "file" | "socket";

export interface CommandRunner {
  command(command: AgentCommand, origin: CommandOrigin): Promise<CommandAnswer>;
}
