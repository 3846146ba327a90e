/** Where V8 can stop in a loaded script, and which of those places a line breakpoint means. */
import type { Protocol } from "devtools-protocol";
import { codeEnd, lastCodeLine } from "../javascript/code-text.ts";
import { hasStrayed, unmadeLine } from "../javascript/function-bodies.ts";
import type { Cdp } from "../target.ts";
import { type Asked, targetOf } from "./binding.ts";
import type { ScriptTexts } from "./script-texts.ts";
import type { Point } from "./source-map.ts";

export interface Aim extends Point {
  /** V8 made nothing of the function it lies in: there is nothing to ask V8 for. */
  unmade?: true;
}

/** Of all the places V8 knows in a text. */
export function aimAmong(asked: Asked, text: string, places: Point[]): Aim | undefined {
  const isHere = places.some(({ line }) => line === asked.line);
  const line = isHere ? undefined : unmadeLine(text, asked.line, places);
  return line === undefined ? targetOf(asked, places) : { line, column: 0, unmade: true };
}

/**
 * Where to ask for a place that was found in a copy of a file. The copy is a function; run as a script (`vm`) or a module, the same
 * statement can have its place further to the left, and asked for one behind it, V8 takes the next line. From the beginning of the
 * line V8 finds it in all of them; `top` are the places of the file's own body, the only ones that differ.
 */
export function leadTo(
  place: Point,
  text: string,
  { points, top }: { points: Point[]; top: Point[] },
): Point {
  const isHere = ({ line, column }: Point) => line === place.line && column === place.column;
  const isFirst = !points.some(({ line, column }) => line === place.line && column < place.column);
  const start = { line: place.line, column: text.split("\n")[place.line]?.search(/\S/) ?? place.column };
  if (!isFirst || !top.some(isHere) || start.column > place.column) return place;
  // The line may begin with the rest of a function: V8 would look in there.
  return hasStrayed(text, start, place) ? place : start;
}

interface Ends {
  text: string;
  last: number;
  code: Point;
}

export class ScriptPlaces {
  readonly #cdp: Cdp;
  readonly #texts: ScriptTexts;
  readonly #ends = new Map<string, Ends>();

  constructor(cdp: Cdp, texts: ScriptTexts) {
    this.#cdp = cdp;
    this.#texts = texts;
  }

  async aim(scriptId: string, asked: Asked): Promise<Aim | undefined> {
    const here = await this.places(scriptId, asked.line, asked.line + 1);
    if (here.length > 0) return targetOf(asked, here);
    const [text, all] = await Promise.all([this.#texts.text(scriptId), this.places(scriptId)]);
    return aimAmong(asked, text, all);
  }

  /** Places V8 knows from one line up to another. */
  async places(scriptId: string, from = 0, to?: number): Promise<Point[]> {
    const end = to === undefined ? {} : { end: { scriptId, lineNumber: to, columnNumber: 0 } };
    const start = { scriptId, lineNumber: from, columnNumber: 0 };
    const [{ locations }, ends] = await Promise.all([
      this.#cdp.send("Debugger.getPossibleBreakpoints", { start, ...end }),
      this.#endsOf(scriptId),
    ]);
    return locations
      .filter((location) => !isBehind(ends, location))
      .map(({ lineNumber, columnNumber = 0 }) => ({ line: lineNumber, column: columnNumber }));
  }

  async lastLine(scriptId: string): Promise<number> {
    return (await this.#endsOf(scriptId)).last;
  }

  async #endsOf(scriptId: string): Promise<Ends> {
    const text = await this.#texts.text(scriptId);
    const known = this.#ends.get(scriptId);
    // A live edit may have changed it.
    if (known?.text === text) return known;
    const ends = { text, last: lastCodeLine(text), code: codeEnd(text) };
    this.#ends.set(scriptId, ends);
    return ends;
  }
}

/** V8 can stop where a script returns, after all its code: nobody means that. */
function isBehind({ last, code }: Ends, location: Protocol.Debugger.BreakLocation): boolean {
  const { lineNumber, columnNumber = 0, type } = location;
  if (lineNumber > last) return true;
  return type === "return" && lineNumber === code.line && columnNumber >= code.column;
}
