/** lldb-dap's output events: the program's text as it was written, and nothing of the debugger's talk about itself. */

/** What the debugger says of every session. */
const TALK =
  /^(To get started with the debug console|For more information visit https:\/\/lldb|Running \w+Commands|\(lldb\) |Executable binary set to|Attached to process|Process \d+ (exited|stopped|launched|resuming|detached|attached)|Core file '|Waiting to attach|Detaching from process|\s*Watchpoint \d+ hit:|(old|new) value: )/;

export class Chatter {
  #started = false;
  /** A terminal ends lines with \r\n, and the two may arrive apart. */
  #return = "";

  /** From here on the console has something to say. */
  started(): void {
    this.#started = true;
  }

  correct(body: { category?: string; output: string }): object | undefined {
    if (body.category === "stdout") {
      const output = this.#lines(body.output);
      return output === "" ? undefined : { ...body, output };
    }
    if (body.category !== undefined && body.category !== "console") return body;
    if (!this.#started || TALK.test(body.output)) return undefined;
    return { ...body, output: body.output.replace(/\r\n/g, "\n") };
  }

  #lines(text: string): string {
    const whole = (this.#return + text).replace(/\r\n/g, "\n");
    this.#return = whole.endsWith("\r") ? "\r" : "";
    return this.#return === "" ? whole : whole.slice(0, -1);
  }
}
