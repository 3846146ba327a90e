/** Opening the built-in adapter, in this process. */
import { inProcess } from "../../dap/in-process.ts";
import type { Connection, Host, Task } from "../adapter.ts";
import { NodeAdapter } from "./adapter.ts";

export async function open(task: Task, { processes, where }: Host): Promise<Connection> {
  const transport = inProcess((end) => {
    const adapter = new NodeAdapter((message) => end.send(message), {
      registry: processes,
      sharesProcess: true,
    });
    end.start(
      (message) => adapter.receive(message),
      () => void adapter.dispose(),
    );
  });
  return {
    transport,
    ...argumentsFor(task, where.settings?.openPort === true),
    stdin: (request) => ({
      async write(bytes) {
        await request("sonde/stdin", { data: bytes.toString("base64") });
      },
      async end() {
        await request("sonde/stdin", { eof: true });
      },
    }),
  };
}

function argumentsFor(task: Task, openPort: boolean): Pick<Connection, "request" | "args"> {
  if (task.request === "child") return { request: task.start, args: task.configuration };
  const { extra } = task.plan;
  if (task.request === "attach") {
    const { pid, host, port } = task.plan;
    return { request: "attach", args: { type: "node", ...defined({ pid, host, port }), openPort, ...extra } };
  }
  const { program, command, args, cwd, env, stopOnEntry } = task.plan;
  const what = command === undefined ? { program, args } : { command };
  return {
    request: "launch",
    args: { type: "node", ...what, cwd, env, replaceEnv: true, stopOnEntry, ...extra },
  };
}

function defined(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
