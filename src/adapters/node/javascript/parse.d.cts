import type { Identifier, Node, Options, Pattern, Program } from "acorn";

export { tokenizer } from "acorn";
export const OPTIONS: Options;
export function parsed(
  text: string,
  sourceType: "script" | "module",
  options?: Partial<Options>,
): Program | undefined;
export function parsedOrThrow(
  text: string,
  sourceType: "script" | "module",
  options?: Partial<Options>,
): Program;
export function childrenOf(node: Node): Node[];
export function identifiersIn(pattern: Pattern | null): Generator<Identifier>;
