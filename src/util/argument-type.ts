/**
 * How a value is typed on the command line. `pairs`: KEY=VALUE, as often as there are. `json`: an object. `file`: the name of a
 * file with the bytes. `words`: a command line in one word.
 */
export type ArgumentType = "boolean" | "string" | "number" | "pairs" | "json" | "file" | "words";
