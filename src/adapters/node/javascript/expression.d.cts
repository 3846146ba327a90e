import type { Node } from "acorn";
import type { Meaning } from "./names.cjs";

export function translated(
  text: string,
  meaning: (name: string) => Meaning,
  refuse: (name: string, fault: string) => string,
): string;
export function failing(name: string, fault: string): string;
export function taken(text: string): { names: string[]; usesThis: boolean };
export function usesThis(node: Node): boolean;
