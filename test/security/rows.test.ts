/** Every row of what a debugger has to withstand, and the test that shows it. The tests are named by a part of their title; one that is gone fails this file. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

type Proof = readonly [file: string, title: string];

const ROWS: Record<string, readonly Proof[]> = {
  "host checks of Node's inspector: four published ways around them": [
    ["security/http", "no other Host, however it is spelled, even with the token"],
    ["node-process/closed", "a launched program, its worker and its child listen nowhere"],
  ],
  "a local HTTP port that starts programs, without a token": [
    ["security/http", "nobody without the token, with a part of it, or with it in another place"],
    ["mcp/http", "it listens on this machine only"],
  ],
  "guards that are off by default: Origin": [["security/http", "no other Origin, even with the token"]],
  "a rebound request of the same origin carries no Origin": [
    ["security/http", "no other Host, however it is spelled, even with the token"],
    ["security/http", "no target with a host of its own"],
  ],
  "the id of a session alone routed requests": [["security/http", "the id of a session is no credential"]],
  "loopback is open to every user of the machine": [
    ["contract/closed", "no other user gets in"],
    ["security/ports", "program that is started and stopped"],
    ["security/ports", "program that is attached to"],
    ["security/foreign-server", "another user who listens where our adapter was to is not taken for it"],
  ],
  "whoever connects can run code; tokens in the process list": [
    ["python/closed", "a program that is started, and its child"],
    ["security/secrets", "no token of ours is in a command line"],
    ["security/foreign-server", "it can have nothing started"],
  ],
  "Unix sockets: folder and file modes, owner, links, exchanged between check and use": [
    ["security/files", "every file and folder, in a shell with umask 0"],
    ["security/files", "another user's folder in its place is refused, by its rule"],
    ["security/files", "a runtime folder that is exchanged all the time: nobody else is ever called"],
    ["security/files", "a link where a file will be written is not followed"],
    ["daemon/places", "the runtime folder"],
    ["faults/private-folder", "calls a socket in a folder that is its own, and no other"],
  ],
  "a debugger is no sandbox: honest annotations": [
    ["mcp/protocol", "readOnlyHint"],
    ["mcp/declared", "a tool that only looks asks for nothing that changes or moves"],
    ["faults/values", "with side effects are refused by print, done by eval"],
  ],
  "prompts injected through logs, exceptions, names and values": [
    ["security/forged", "program that speaks like us"],
    ["security/forged", "a file, a folder, an argument and a variable of the environment"],
    ["security/forged", "the last words of a command that fails stand behind the bar"],
    ["faults/output", "output that looks like a snapshot of ours stays behind the bar, in text and in JSON"],
    ["daemon/bounds", "what could mislead a reader stands escaped in JSON, and is the same data"],
  ],
  "project files that run code when a folder is opened": [
    ["security/project-files", "looking around in it runs nothing"],
    ["security/project-files", "nor where npm, or a careless PATH, puts its programs first"],
    ["security/project-files", "a program of another folder, debugged from inside it"],
    ["security/project-files", "a process of elsewhere, attached to from inside it"],
    ["cli/launch-json", "tasks run when asked for, in order; one that fails ends it"],
    ["agent/run/claude-profile", "never to an address that a project names, before the user has trusted it"],
  ],
  "reports: no environment, no secrets": [["diagnostics/report/secrets", "planted"]],
  "event logs: private, bounded, removable, without secrets": [
    ["security/files", "every file and folder, in a shell with umask 0"],
    ["security/secrets", "in no log and in no file of an agent's run"],
    ["agent/store/secrets", "20 planted secrets of different kinds"],
    ["agent/store/log", "growth has a limit"],
  ],
};

test.each(Object.keys(ROWS))("%s", (row) => {
  for (const [file, title] of ROWS[row] ?? []) {
    const text = readFileSync(resolve(import.meta.dirname, "..", `${file}.test.ts`), "utf8");
    expect(text.replaceAll(/\s+/g, " "), `${file}: ${title}`).toContain(title);
  }
});
