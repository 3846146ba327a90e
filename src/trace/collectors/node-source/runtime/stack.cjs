// The innermost frames of the program's stack, as numbers: what each means is told once.

/** Frames that do not count, ours and V8's own, at most so many of them: rare, so they are looked past only when they are there. */
const EXTRA = 8;

class Stack {
  #own;
  #wanted;
  #tell;
  #carriers;
  #known = new Map();
  #next = 1;

  /**
   * @param own the folder or file whose frames are not the program's
   * @param carriers the innermost frames, at most so many, are those of a debugger's evaluation if they have no file
   */
  constructor(own, wanted, tell, carriers = 0) {
    this.#own = own;
    this.#wanted = wanted;
    this.#tell = tell;
    this.#carriers = carriers;
  }

  /**
   * One more than is wanted, as a frame is told from its caller, which is told from its own.
   * @param above the function whose callers they are; `isBody`: the innermost is the body of a module
   */
  frames(above, isBody) {
    if (this.#wanted === 0) return [];
    const limit = this.#wanted + 2 + this.#carriers;
    const few = capture(above, limit);
    const ids = few === undefined ? [] : this.#ids(few, isBody);
    if (few === undefined || ids.length >= this.#wanted || few.length < limit) return ids;
    return this.#ids(capture(above, limit + EXTRA), isBody);
  }

  #ids(sites, isBody) {
    // An arrow function inside a call of ours only carries the expressions.
    let from = sites.length > 1 && this.#isOwn(sites[1]) ? 2 : 0;
    while (from < this.#carriers && from < sites.length && isEvaluated(sites[from])) from++;
    const ids = [];
    for (let at = from; at < sites.length && ids.length <= this.#wanted; at++) {
      const site = sites[at];
      if (site.isAsync()) break;
      const id = this.#id(site, sites[at + 1], isBody && at === from);
      if (id !== 0) ids.push(id);
    }
    return ids;
  }

  #id(site, caller, isBody) {
    const file = site.getFileName() ?? "";
    // V8's own functions (`Array.map`) are no frames to a debugger; evaluated code is.
    if (file === "" && !site.isEval()) return 0;
    const script = file || site.getEvalOrigin();
    let places = this.#known.get(script);
    if (places === undefined) {
      places = new Map();
      this.#known.set(script, places);
    }
    // Without its caller it cannot be told whether it is a module: then it goes by another number.
    const position = caller === undefined ? -1 - site.getPosition() : site.getPosition();
    const known = places.get(position);
    if (known !== undefined) return known;
    const id = this.#isOwn(site) ? 0 : this.#next++;
    places.set(position, id);
    const name = site.getFunctionName() || (isBody || isLoader(caller) ? "<module>" : "(anonymous)");
    if (id !== 0) this.#tell(["f", id, name, file, site.getLineNumber() ?? 0, site.getColumnNumber() ?? 0]);
    return id;
  }

  #isOwn(site) {
    return site.getFileName()?.startsWith(this.#own) === true;
  }
}

const isEvaluated = (site) => site.isEval() && !site.getFileName();
const isLoader = (site) => site?.getFileName()?.startsWith("node:internal/modules/") === true;
const { captureStackTrace } = Error;
/** Marked, so that it is given all frames as they are (true-stacks.cjs). */
const asSites = Object.assign((_, sites) => sites, { isOurs: true });

/** Undefined where a program has frozen `Error`. */
function capture(above, limit) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.prepareStackTrace = asSites;
    Error.stackTraceLimit = limit;
    const holder = {};
    captureStackTrace(holder, above);
    const { stack } = holder;
    return Array.isArray(stack) ? stack : undefined;
  } catch {
    return undefined;
  } finally {
    // Also where the stack has no room for what it takes: these are no calls.
    if (Error.prepareStackTrace === asSites) {
      Error.prepareStackTrace = prepareStackTrace;
      Error.stackTraceLimit = stackTraceLimit;
    }
  }
}

module.exports = { Stack };
