// The one way in which we parse JavaScript, by acorn; plain CommonJS, because the recorder uses it inside the program. Where text may be
// unfinished or TypeScript, code-text.ts reads it; imports are read by es-module-lexer (module-graph.ts).
const { parse, tokenizer } = require("acorn");

const OPTIONS = {
  ecmaVersion: "latest",
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowSuperOutsideMethod: true,
  checkPrivateFields: false,
};

function parsedOrThrow(text, sourceType, options = {}) {
  return parse(text, { ...OPTIONS, sourceType, ...options });
}

/** Nothing if it is newer than our parser, or not JavaScript. */
function parsed(text, sourceType, options) {
  try {
    return parsedOrThrow(text, sourceType, options);
  } catch {
    return undefined;
  }
}

function isNode(value) {
  return typeof value === "object" && value !== null && typeof value.type === "string";
}

function childrenOf(node) {
  return Object.values(node).flat().filter(isNode);
}

/** The identifiers that a pattern declares. */
function* identifiersIn(pattern) {
  switch (pattern?.type) {
    case "Identifier":
      yield pattern;
      break;
    case "ObjectPattern":
      for (const one of pattern.properties)
        yield* identifiersIn(one.type === "Property" ? one.value : one.argument);
      break;
    case "ArrayPattern":
      for (const one of pattern.elements) yield* identifiersIn(one);
      break;
    case "AssignmentPattern":
      yield* identifiersIn(pattern.left);
      break;
    case "RestElement":
      yield* identifiersIn(pattern.argument);
  }
}

module.exports = { childrenOf, identifiersIn, OPTIONS, parsed, parsedOrThrow, tokenizer };
