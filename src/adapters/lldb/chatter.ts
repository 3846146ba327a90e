/** lldb-dap's output events: the program's text as it was written, and nothing of the debugger's talk about itself. */

/** What the debugger says of every session. */
const TALK =
  /^(To get started with the debug console|For more information visit https:\/\/lldb|Running \w+Commands|\(lldb\) |Executable binary set to|Attached to process|Process \d+ (exited|stopped|launched|resuming|detached|attached)|Core file '|Waiting to attach|Detaching from process|\s*Watchpoint \d+ hit:|(old|new) value: |sonde ([{[]|"|null))/;

const SCRIPTS =
  /^(\w+Error: |warning: This version of LLDB has no plugin for |error: .* 0x[0-9a-f]+: DW_TAG_\w+ )/;

/** How LLDB tells of a condition that it cannot evaluate, in many lines: what it is, and around the reason what nobody needs. */
const CONDITION = /^error: stopped due to an error evaluating condition of breakpoint [\d.]+: "(.*)"\n$/s;
const AROUND =
  /^(Couldn't parse conditional expression:|Expression evaluation in pure C not supported|\s*\d+ \| |\s*\| )/;
const REASON = /^error: <user expression \d+>:[\d:]+ /;

export class Chatter {
  #started = false;
  #traceback = false;
  #failing = false;
  /** A terminal ends lines with \r\n, and the two may arrive apart. */
  #return = "";

  /** From here on the console has something to say. */
  started(): void {
    this.#started = true;
  }

  /** Of a condition that could not be evaluated. */
  #condition(body: { category?: string; output: string }): object | undefined {
    const [, condition] = CONDITION.exec(body.output) ?? [];
    this.#failing ||= condition !== undefined;
    if (condition !== undefined)
      return { ...body, output: `breakpoint condition failed: ${condition}\n`, about: "failed-condition" };
    if (AROUND.test(body.output)) return undefined;
    return { ...body, output: body.output.replace(REASON, "the condition: ") };
  }

  correct(body: { category?: string; output: string }): object | undefined {
    if (body.category === "stdout") {
      const output = this.#lines(body.output);
      return output === "" ? undefined : { ...body, output };
    }
    // The program's own standard error does not come this way.
    const output = this.#withoutScripts(body.output.replace(/\r\n/g, "\n"));
    if (output === "") return undefined;
    this.#failing &&= body.category === "important";
    if (this.#failing || CONDITION.test(output)) return this.#condition({ ...body, output });
    if (body.category !== undefined && body.category !== "console") return { ...body, output };
    if (!this.#started || TALK.test(output) || output.trim() === "") return undefined;
    return { ...body, output };
  }

  /** Without what formatters in Python die of: what they cannot show is not there yet, and no business of the reader's. */
  #withoutScripts(text: string): string {
    const kept = text.split(/(?<=\n)/).filter((line) => {
      if (line.startsWith("Traceback (most recent call last)")) this.#traceback = true;
      else if (!this.#traceback) return !SCRIPTS.test(line);
      // A traceback ends with the first line that is not indented.
      else this.#traceback = /^\s/.test(line);
      return false;
    });
    return kept.join("");
  }

  #lines(text: string): string {
    const whole = (this.#return + text).replace(/\r\n/g, "\n");
    this.#return = whole.endsWith("\r") ? "\r" : "";
    return this.#return === "" ? whole : whole.slice(0, -1);
  }
}
