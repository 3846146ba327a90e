// What a stop shows, read in the program as soon as it stops and sent right behind the stop: while the debugger makes sense of the one,
// V8 reads the other, and nothing needs to be asked.

/**
 * Not at a throw. One that native code throws again (that of `node -e`) is lost if V8 is asked anything at all while it pauses there, and
 * the program goes on as if nothing had been thrown (seen on 20).
 */
const READ_AT = new Set(["other", "step"]);
/** The script of each call would be told of, to nobody's use. */
const SCRIPT_URL = "sonde-kit:";
const READ = `function (kit, self, hasSelf, ...rest) { return kit.frameText(self, hasSelf, [this, ...rest]) }
//# sourceURL=${SCRIPT_URL}
`;

class Reader {
  #post;
  #kits;

  /** `post` asks V8. */
  constructor(post) {
    this.#post = post;
  }

  /** Of the next pause. `kits`: the debugger's own functions in the program, by context. */
  order({ kits }) {
    this.#kits = kits;
  }

  /** Whether V8 was asked; then `answered` is told what the top frame's scopes hold, or nothing. */
  onPaused({ reason, callFrames: [top] }, answered) {
    const kits = this.#kits;
    this.#kits = undefined;
    const objects = kits === undefined || !READ_AT.has(reason) ? [] : scopesToRead(top);
    const kit = kits?.find((one) => contextOf(one) === contextOf(objects[0] ?? ""));
    if (kit === undefined) return false;
    this.#post("Runtime.callFunctionOn", readCall(kit, top, objects), (error, answer) =>
      answered(error || answer.exceptionDetails ? {} : { objects, text: answer.result.value }),
    );
    return true;
  }

  isOwn({ method, params }) {
    return method === "Debugger.scriptParsed" && params.url === SCRIPT_URL;
  }
}

/** V8's object ids read "isolate.context.number". */
function contextOf(objectId) {
  return objectId.split(".")[1];
}

/** The global scope is shown to nobody who has not asked for it. */
function scopesToRead(frame) {
  const scopes = frame?.scopeChain.filter(({ type }) => type !== "global") ?? [];
  return scopes.flatMap(({ object }) => (object.objectId === undefined ? [] : [object.objectId]));
}

function readCall(kit, top, [objectId, ...rest]) {
  const { type, value, unserializableValue, objectId: self } = top.this;
  const given = self === undefined ? { value, unserializableValue } : { objectId: self };
  return {
    objectId,
    functionDeclaration: READ,
    arguments: [
      { objectId: kit },
      given,
      { value: type !== "undefined" },
      ...rest.map((one) => ({ objectId: one })),
    ],
    returnByValue: true,
    silent: true,
  };
}

module.exports = { Reader };
