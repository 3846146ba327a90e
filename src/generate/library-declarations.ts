/**
 * dist/index.d.ts: the public types in one file, without a dependency. Each source file's declarations are taken as the compiler
 * emits them for that file alone, and of them what the names in src/index.ts need.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import type ts from "typescript5";

type Compiler = typeof ts;

/** The specification's types come from a package that is not shipped. */
const PROTOCOL = "@vscode/debugprotocol";

/** What one file declares, and which names it has from others. */
interface Module {
  file: string;
  declared: Map<string, Declared>;
  taken: Map<string, { from: string; name: string }>;
  exported: PublicName[];
}

interface Declared {
  text: string;
  uses: Set<string>;
  /** Of a class: what it has by name, and the class it extends. */
  members: ReadonlyMap<string, string>;
  base: string | undefined;
}

export interface PublicName {
  /** As it is declared, and as it is exported. */
  name: string;
  as: string;
}

export interface Declarations {
  text: string;
  names: PublicName[];
  declared: ReadonlyMap<string, string>;
}

/** The compiler that has an interface for programs; loaded here and nowhere else, because it is large. */
export function loadCompiler(root: string): Compiler {
  return createRequire(join(root, "package.json"))("typescript5") as Compiler;
}

/** The protocol's specification has them too, and here they would be most of the file. */
function withoutComments(text: string): string {
  return text.replace(/[ \t]*\/\*\*?[\s\S]*?\*\/[ \t]*\n?/g, "").replace(/^\s*\n/gm, "");
}

/** `fresh`: files of the sources that are generated just now, by path from the root. */
export function libraryDeclarations(
  root: string,
  fresh: Readonly<Record<string, string>> = {},
): Declarations {
  const reader = new Reader(root, fresh);
  const index = join(root, "src/index.ts");
  const names = reader.module(index).exported;
  for (const { name } of names) reader.want(index, name);
  const imports = [...reader.external].map(
    ([from, what]) => `import type { ${[...what].sort().join(", ")} } from "${from}";`,
  );
  const declared = new Map(
    [...reader.wanted].map(([name, { text, file }]) => [
      name,
      file.includes(PROTOCOL) ? withoutComments(text) : text,
    ]),
  );
  const text = [
    '/// <reference types="node" />',
    ...imports.sort(),
    "",
    ...[...declared.values()].map((one) => `${one}\n`),
    "export {",
    ...names.map(({ name, as }) => `  ${name === as ? name : `${name} as ${as}`},`),
    "};",
    "",
  ].join("\n");
  return { text, names, declared };
}

function unindented(text: string): string {
  return text.replace(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

function withMembersOf({ text, members, base }: Declared, { members: inherited }: Declared): string {
  const added = [...inherited].filter(([name]) => !members.has(name)).map(([, one]) => one);
  return text.replace(` extends ${base}`, "").replace(/\n\}$/, `${added.join("")}\n}`);
}

class Reader {
  /** By package: what is imported from it. */
  readonly external = new Map<string, Set<string>>();
  /** In the order they were asked for. */
  readonly wanted = new Map<string, { text: string; file: string }>();
  readonly #root: string;
  readonly #fresh: ReadonlyMap<string, string>;
  readonly #ts: Compiler;
  readonly #modules = new Map<string, Module>();

  constructor(root: string, fresh: Readonly<Record<string, string>>) {
    this.#root = root;
    this.#fresh = new Map(Object.entries(fresh).map(([path, text]) => [join(root, path), text]));
    this.#ts = loadCompiler(root);
  }

  module(file: string): Module {
    const known = this.#modules.get(file);
    if (known) return known;
    const source = this.#fresh.get(file) ?? readFileSync(file, "utf8");
    const emitted = file.endsWith(".d.ts") ? source : this.#emit(file, source);
    const parsed = this.#ts.createSourceFile(file, emitted, this.#ts.ScriptTarget.Latest, true);
    const header = /^\/\*\*[\s\S]*?\*\//.exec(source)?.[0] ?? "";
    const module: Module = { file, declared: new Map(), taken: new Map(), exported: [] };
    this.#modules.set(file, module);
    for (const statement of parsed.statements) this.#read(statement, module, header);
    return module;
  }

  /** A name as a file means it, and everything that its declaration needs. */
  want(file: string, name: string): void {
    const { declared, taken } = this.module(file);
    const own = declared.get(name);
    const other = taken.get(name);
    if (own) {
      const base = own.base === undefined ? undefined : this.#baseOf(file, own.base);
      if (!this.#add(name, base ? withMembersOf(own, base.declared) : own.text, file)) return;
      for (const used of base?.uses ?? []) this.want(base?.file ?? file, used);
      for (const used of own.uses)
        if ((declared.has(used) || taken.has(used)) && (!base || used !== own.base)) this.want(file, used);
    } else if (other === undefined) {
      throw new Error(`${file} exports ${name} and does not declare it`);
    } else if (other.from.startsWith("/")) {
      this.want(other.from, other.name);
      if (other.name !== name) this.#add(name, `import ${name} = ${other.name};`, "");
    } else {
      this.external.set(other.from, (this.external.get(other.from) ?? new Set()).add(name));
    }
  }

  /** An abstract class of ours is not there for a caller: its members are those of the class that extends it. */
  #baseOf(file: string, name: string): { declared: Declared; file: string; uses: string[] } | undefined {
    const from = this.module(file).taken.get(name)?.from;
    if (from === undefined || !from.startsWith("/")) return undefined;
    const { declared, taken } = this.module(from);
    const own = declared.get(name);
    if (!own?.text.includes("abstract class ")) return undefined;
    const needed = [...own.members.values()].join("\n");
    const uses = [...own.uses].filter(
      (one) => (declared.has(one) || taken.has(one)) && new RegExp(`\\b${one}\\b`).test(needed),
    );
    return { declared: own, file: from, uses };
  }

  /** False if it is there already. One file is one scope, so two different things may not share a name. */
  #add(name: string, text: string, file: string): boolean {
    const known = this.wanted.get(name);
    if (known && known.file !== file)
      throw new Error(`two public types are called ${name}: in ${known.file} and ${file}`);
    this.wanted.set(name, { text, file });
    return known === undefined;
  }

  #emit(fileName: string, source: string): string {
    const { outputText } = this.#ts.transpileDeclaration(source, {
      fileName,
      compilerOptions: {
        target: this.#ts.ScriptTarget.ES2022,
        module: this.#ts.ModuleKind.NodeNext,
        strict: true,
        exactOptionalPropertyTypes: true,
        stripInternal: true,
        removeComments: false,
      },
    });
    // Without the standard library the compiler takes a method of such a name for a property as well, and emits both.
    return outputText.replace(/^ *\[Symbol\.\w+\]: \(\) => .*\n/gm, "");
  }

  #read(statement: ts.Statement, module: Module, header: string): void {
    if (this.#ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      const elements = bindings && this.#ts.isNamedImports(bindings) ? bindings.elements : [];
      const from = this.#origin(statement, module.file);
      for (const { name, propertyName } of elements)
        module.taken.set(name.text, { from, name: (propertyName ?? name).text });
    } else if (this.#ts.isExportDeclaration(statement)) {
      const clause = statement.exportClause;
      const elements = clause && this.#ts.isNamedExports(clause) ? clause.elements : [];
      for (const { name: as, propertyName } of elements) {
        const { text: name } = propertyName ?? as;
        module.exported.push({ name, as: as.text });
        if (statement.moduleSpecifier)
          module.taken.set(name, { from: this.#origin(statement, module.file), name });
      }
    } else {
      for (const name of this.#namesOf(statement))
        module.declared.set(name, {
          text: this.#textOf(statement, header),
          uses: this.#uses(statement),
          ...this.#classOf(statement),
        });
    }
  }

  /** A file of ours or of the specification's by its path, another package by its name. */
  #origin({ moduleSpecifier }: ts.ImportDeclaration | ts.ExportDeclaration, file: string): string {
    const from = moduleSpecifier && this.#ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : "";
    if (from === PROTOCOL) return join(this.#root, "node_modules", PROTOCOL, "lib/debugProtocol.d.ts");
    return from.startsWith(".") ? resolve(dirname(file), from) : from;
  }

  #namesOf(statement: ts.Statement): string[] {
    if (this.#ts.isVariableStatement(statement))
      return statement.declarationList.declarations.map(({ name }) => name.getText());
    const { name } = statement as ts.DeclarationStatement;
    return name && this.#ts.isIdentifier(name) ? [name.text] : [];
  }

  #classOf(statement: ts.Statement): Pick<Declared, "members" | "base"> {
    if (!this.#ts.isClassDeclaration(statement)) return { members: new Map(), base: undefined };
    const named = statement.members.flatMap((one) => {
      const name = one.name?.getText();
      return name === undefined || name.startsWith("#") ? [] : [[name, one] as const];
    });
    const [base] =
      statement.heritageClauses?.find(({ token }) => token === this.#ts.SyntaxKind.ExtendsKeyword)?.types ??
      [];
    return {
      members: new Map(named.map(([name, one]) => [name, unindented(one.getFullText())])),
      base: base?.getText(),
    };
  }

  /** With its own comment, but not with the file's; `export` is the list's at the end. */
  #textOf(statement: ts.Statement, header: string): string {
    const whole = statement.getSourceFile().text;
    const ranges = this.#ts.getLeadingCommentRanges(whole, statement.pos) ?? [];
    const comment = ranges.map(({ pos, end }) => whole.slice(pos, end)).at(-1) ?? "";
    const own = comment.startsWith("/**") && comment !== header ? `${comment}\n` : "";
    const text = statement
      .getText()
      .replace(/^export (default )?/, "")
      .replace(/^(declare )?module /, "declare namespace ")
      .replace(/^(class|function|const|abstract|enum|namespace) /, "declare $1 ")
      .replaceAll("\r\n", "\n");
    return own + unindented(text);
  }

  #uses(statement: ts.Node): Set<string> {
    const found = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (this.#ts.isIdentifier(node) && !this.#isOwnName(node)) found.add(node.text);
      this.#ts.forEachChild(node, visit);
    };
    visit(statement);
    return found;
  }

  #isOwnName(node: ts.Identifier): boolean {
    const parent: { name?: ts.Node; right?: ts.Node } & ts.Node = node.parent;
    return parent.name === node || parent.right === node;
  }
}
