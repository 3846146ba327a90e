/** highlight.js with our languages. Its result is read as a tree, not as the HTML that it would write. */
import hljs from "highlight.js/lib/core";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import typescript from "highlight.js/lib/languages/typescript";
import type { Token } from "./token.ts";

const ALL = { c, cpp, go, java, javascript, perl, php, python, ruby, rust, typescript };
for (const [name, language] of Object.entries(ALL)) hljs.registerLanguage(name, language);

interface Node {
  scope?: string;
  children: (Node | string)[];
}

export function highlight(text: string, language: string): Token[][] {
  const result = hljs.highlight(text, { language, ignoreIllegals: true });
  const root = (result._emitter as unknown as { rootNode: Node }).rootNode;
  const lines: Token[][] = [[]];
  const add = (scope: string, part: string) => {
    for (const [at, piece] of part.split("\n").entries()) {
      if (at > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push([scope, piece]);
    }
  };
  const walk = (node: Node | string, scope: string) => {
    if (typeof node === "string") add(scope, node);
    else for (const child of node.children) walk(child, (node.scope ?? scope).split(".")[0] ?? "");
  };
  walk(root, "");
  return lines;
}
