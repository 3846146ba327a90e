/**
 * Traces: hits per second, against stopping, evaluating and going on with the bare debugger. Both rates leave out the start: what is
 * counted is what each further hit costs.
 */
import { spawnSync } from "node:child_process";
import * as cdp from "./cdp.mjs";
import * as dap from "./dap.mjs";
import { languages } from "./languages.mjs";
import { copied, lineOf } from "./programs.mjs";

const HITS = 20_000;
/** Those that stop at each hit get fewer: seconds, not minutes. */
const SLOW_HITS = 2_000;
const SLOW = ["lldb", "gdb", "delve", "stops"];
const BARE_HITS = 60;

/**
 * What a line costs that is asked for and never reached, in a function that is called all the time: the program's own clock, with and
 * without the trace.
 */
export async function coldRows(workshop, say, only) {
  const rows = [];
  for (const { title, files, command, line, must } of coldPrograms(workshop)) {
    if (only !== undefined && only !== title) continue;
    say(`cold line: ${title}`);
    const text = await coldLine(workshop, { files, command, line });
    const what = `cold line, ${title} / without a trace`;
    rows.push(
      typeof text === "string"
        ? { what: `${what}: not measured, ${text}`, unit: "ms" }
        : { what, unit: "ms", ...text, kind: "ratio", must, aim: must === 1.1 ? 1.05 : 1.1 },
    );
  }
  return rows;
}

const COLD_ROUNDS = 7;

function coldPrograms(workshop) {
  const python = pythons();
  return [
    { title: "Node", files: ["cold.js"], command: (file) => ["node", file], must: 1.1 },
    { title: "C", files: ["cold.c"], command: (file) => [compiled(workshop, file)], must: 1.1 },
    ...["3.12", "3.11"].map((version) => ({
      title: `Python ${version === "3.12" ? "≥ 3.12" : "< 3.12"}`,
      files: ["cold.py"],
      command: (file) => [version === "3.12" ? python.newer : python.older, file],
      must: version === "3.12" ? 1.1 : 1.3,
    })),
  ];
}

/** One with `sys.monitoring`, and one without; by path, where pyenv keeps several. */
function pythons() {
  const found = { newer: undefined, older: undefined };
  for (const version of ["3.13", "3.12", "3.14", "3.11", "3.10", "3.9"]) {
    const env = { ...process.env, PYENV_VERSION: version };
    const said = spawnSync(`python${version}`, ["-c", "import sys; print(sys.executable)"], {
      env,
      encoding: "utf8",
    });
    if (said.status !== 0) continue;
    found[Number(version.split(".")[1]) >= 12 ? "newer" : "older"] ??= said.stdout.trim();
  }
  return found;
}

function compiled(workshop, file) {
  const out = `${file}.out`;
  const { status } = spawnSync("cc", ["-g", "-O0", file, "-o", out], { cwd: workshop.cwd });
  if (status !== 0) throw new Error("there is no C compiler");
  return out;
}

/** In turns, each by the program's own word for how long its work took. */
async function coldLine({ cwd, connect, ...workshop }, { files: [name], command }) {
  const client = await connect();
  try {
    const file = copied({ cwd, ...workshop }, name);
    const words = command(file);
    if (words[0] === undefined) return "there is no such Python";
    const place = `${file}:${lineOf(file)}`;
    const plain = [];
    const traced = [];
    for (let round = 0; round < COLD_ROUNDS; round++) {
      const { stdout } = spawnSync(words[0], words.slice(1), { cwd, encoding: "utf8" });
      plain.push(msIn(stdout));
      const { data } = await client.call("trace", { at: [place], watch: ["i"], args: words }, { cwd });
      if (data.trace.counts[0] !== 0 || data.trace.bindings[0].state !== "bound")
        return "the line was not watched";
      traced.push(msIn(data.output.lines.map(({ text }) => text).join("\n")));
    }
    const [ours, baseline] = [traced, plain].map((all) => all.sort((a, b) => a - b)[COLD_ROUNDS >> 1]);
    return { ours, baseline, ratio: ours / baseline };
  } catch (error) {
    return error.message.split("\n")[0];
  } finally {
    client.close();
  }
}

function msIn(text) {
  const found = /took ([\d.]+) ms/.exec(text);
  if (found === null) throw new Error(`the program said nothing: ${text.slice(0, 100)}`);
  return Number(found[1]);
}

/** @param only a language by its title. */
export async function traceRows(workshop, say, only) {
  const rows = [];
  const others = languages(workshop, "hits");
  if (only === undefined || only === "Node") {
    say("trace: Node");
    const program = copied(workshop, "hits.js");
    rows.push(await row(workshop, "Node", node(program), await bareNode(program), 50, 200));
  }
  for (const language of others.filter(({ title }) => only === undefined || only === title)) {
    if (language.missing !== undefined) {
      rows.push({ what: `trace, ${language.title}: not measured, ${language.missing}`, unit: "hits/s" });
      continue;
    }
    say(`trace: ${language.title}`);
    const bare = await bareDap(language);
    for (const { collector, must, aim, name } of WAYS[language.title]) {
      const how = { place: `${language.source}:${language.line}`, command: language.command, collector };
      rows.push(await row(workshop, name ?? language.title, how, bare, must, aim));
    }
  }
  return rows;
}

const WAYS = {
  Python: [{ collector: undefined, must: 500, aim: 5000 }],
  C: [
    { name: "C by lldb", collector: "lldb", must: 1.5, aim: 2 },
    { name: "C by gdb", collector: "gdb", must: 4, aim: 6 },
    { name: "C by uprobes", collector: "perf", must: 80, aim: 120 },
  ],
  Go: [{ collector: undefined, must: 1.3, aim: 80 }],
};

function node(program) {
  return { place: `${program}:${lineOf(program)}`, command: ["node", program], collector: undefined };
}

async function row(workshop, title, how, bare, must, aim) {
  const rate = await ours(workshop, how);
  if (typeof rate === "string") return { what: `trace, ${title}: not measured, ${rate}`, unit: "hits/s" };
  return {
    what: `trace, ${title} (${rate.collector}) / bare stop, evaluate, continue`,
    unit: "hits/s",
    ours: rate.perSecond,
    baseline: bare,
    ratio: rate.perSecond / bare,
    kind: "faster",
    must,
    aim,
  };
}

/** The difference of a long and a short run; and the values are looked at, so that nothing is fast by being wrong. */
async function ours({ cwd, connect }, { place, command, collector }) {
  const client = await connect();
  const run = async (count) => {
    const args = { at: [place], watch: ["i", "total"], args: [...command, String(count)], maxHits: count };
    const { data } = await client.call("trace", collector === undefined ? args : { ...args, collector }, {
      cwd,
    });
    const last = data.hits.at(-1);
    const sum = ((count - 1) * (count - 2)) / 2;
    if (
      data.trace.counts[0] !== count ||
      Number(last.values[0]) !== count - 1 ||
      Number(last.values[1]) !== sum
    )
      throw new Error(`wrong records: ${data.trace.counts[0]} of ${count}, ${JSON.stringify(last)}`);
    return data.trace;
  };
  try {
    const few = await run(2);
    const hits = SLOW.includes(few.collector) ? SLOW_HITS : HITS;
    const many = await run(hits);
    return { perSecond: (hits - 2) / (many.seconds - few.seconds), collector: many.collector };
  } catch (error) {
    return error.message.split("\n")[0];
  } finally {
    client.close();
  }
}

async function bareDap({ bare, source, line }) {
  const launch = { ...bare.launch, args: ["1000000"] };
  const started = await dap.startStopped({ ...bare, launch }, source, line);
  let { stop } = started;
  const began = performance.now();
  for (let hit = 0; hit < BARE_HITS; hit++) {
    const { stackFrames } = await started.dap.send("stackTrace", {
      threadId: stop.threadId,
      startFrame: 0,
      levels: 3,
    });
    for (const expression of ["i", "total"])
      await started.dap.send("evaluate", { expression, frameId: stackFrames[0].id, context: "watch" });
    const stopped = started.dap.event("stopped");
    void started.dap.send("continue", { threadId: stop.threadId });
    stop = { ...stop, ...(await stopped) };
  }
  const seconds = (performance.now() - began) / 1000;
  await dap.end(started);
  return BARE_HITS / seconds;
}

async function bareNode(program) {
  const started = await cdp.startStopped(program, lineOf(program), ["1000000"]);
  let { stop } = started;
  const began = performance.now();
  for (let hit = 0; hit < BARE_HITS; hit++) {
    const { callFrameId } = stop.callFrames[0];
    for (const expression of ["i", "total"])
      await started.cdp.send("Debugger.evaluateOnCallFrame", { callFrameId, expression });
    void started.cdp.send("Debugger.resume");
    stop = await started.cdp.paused();
  }
  const seconds = (performance.now() - began) / 1000;
  await cdp.end(started);
  return BARE_HITS / seconds;
}
