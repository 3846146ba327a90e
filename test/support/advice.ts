/** Everything our sources say that names a command or an option: strings and templates, with `<…>` for what is filled in. */
import ts from "typescript5";
import { sourceFiles } from "./sources.ts";

export interface Advice {
  /** `commands/probe-text.ts:22` */
  at: string;
  text: string;
}

/** Who says it only on the command line, or to those who build it. */
const ELSEWHERE =
  /^(cli|client|daemon|generate|mcp|library|surface|runners|engine\/(argv|peel|environments)\.ts)/;

export function advice(): Advice[] {
  return sourceFiles()
    .filter(({ path, text }) => !ELSEWHERE.test(path) && /sonde |--[a-z]/.test(text))
    .flatMap(({ path, text }) => {
      const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const found: Advice[] = [];
      const visit = (node: ts.Node): void => {
        if (isExample(node)) return;
        const whole = textOf(node);
        if (whole === undefined) {
          node.forEachChild(visit);
          return;
        }
        const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
        if (/sonde [a-z]|(?<![\w-])--[a-z]/.test(whole)) found.push({ at: `${path}:${line}`, text: whole });
        if (ts.isTemplateExpression(node)) node.forEachChild(visit);
      };
      visit(source);
      return found;
    });
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map((span) => `<…>${span.literal.text}`).join("");
}

/** Examples and descriptions belong to the command line's own help. */
function isExample(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return true;
  if (ts.isPropertyAssignment(node)) return /^(examples|summary)$/.test(node.name.getText());
  return ts.isCallExpression(node) && /\.describe$/.test(node.expression.getText());
}

/** What is typed, of every `sonde …` line in backticks. */
export function linesIn(text: string): string[] {
  return [...text.matchAll(/`sonde ([^`]+)`/g)].map(([, line = ""]) => line);
}
