/** How a program of each language is built, run and tested. Paths are relative to the folder of a pair. */
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";

const HERE = import.meta.dirname;
const ROOT = resolve(HERE, "..");
const PROGRAMS = join(HERE, "programs");

const DEBUG = ["-g", "-O0"];

export const LANGUAGES = {
  python: {
    tests: (name) => `test_${name}.py`,
    run: ({ file }) => ["python3", file],
    test: ({ name }) => ["test", "--", "python3", "-m", "pytest", "-q", `test_${name}.py`],
    check: ({ name }) => ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", `test_${name}.py`],
  },
  javascript: {
    tests: (name, extension) => `${name}.test${extension}`,
    files: { "package.json": "{}" },
    run: ({ file }) => ["node", file],
    test: ({ name, extension }) => ["test", "--", "node", "--test", `${name}.test${extension}`],
    check: ({ name, extension }) => ["node", "--test", `${name}.test${extension}`],
  },
  typescript: {
    tests: (name) => `${name}.test.ts`,
    files: { "package.json": '{"type":"module"}' },
    modules: true,
    run: ({ file }) => ["node", "--import", "tsx", file],
    test: ({ name }) => ["test", "--", "node", "--import", "tsx", "--test", `${name}.test.ts`],
    check: ({ name }) => ["node", "--import", "tsx", "--test", `${name}.test.ts`],
  },
  c: native("gcc", [...DEBUG], ".c"),
  cpp: native("g++", [...DEBUG, "-std=c++17"], ".cpp"),
  rust: {
    tests: () => undefined,
    layout: ({ folder, name, extension }) => {
      mkdirSync(join(folder, "src"), { recursive: true });
      copyFileSync(join(folder, name + extension), join(folder, "src/main.rs"));
      rmSync(join(folder, name + extension));
      writeFileSync(
        join(folder, "Cargo.toml"),
        `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\n`,
      );
    },
    source: () => "src/main.rs",
    build: () => ["rustc", "--edition", "2021", "-g", "-o", "program", "src/main.rs"],
    run: ({ side }) => [`./${side}/program`],
    test: () => ["test", "--", "cargo", "test", "--offline"],
    check: () => ["cargo", "test", "--offline"],
  },
  go: {
    tests: (name) => `${name}_test.go`,
    files: { "go.mod": "module example\n\ngo 1.21\n" },
    build: () => ["go", "build", "-gcflags=all=-N -l", "-o", "program", "."],
    run: ({ side }) => [`./${side}/program`],
    test: () => ["test", "--", "go", "test", "."],
    check: () => ["go", "test", "."],
  },
  java: {
    tests: (name) => `${name}Test.java`,
    build: ({ name }) => ["javac", "-g", "-d", "classes", `${name}.java`],
    run: ({ side, name }) => ["java", "-cp", `${side}/classes`, name],
    test: ({ name }) => ["test", "--", "java", "-cp", "tested", `${name}Test`],
    buildTest: ({ name }) => ["javac", "-g", "-d", "tested", `${name}.java`, `${name}Test.java`],
    check: ({ name }) => ["java", "-cp", "tested", `${name}Test`],
  },
};

function native(compiler, flags, extension) {
  return {
    tests: (name) => `${name}_test${extension}`,
    build: ({ name }) => [compiler, ...flags, "-o", "program", `${name}${extension}`],
    run: ({ side }) => [`./${side}/program`],
    buildTest: ({ name }) => [compiler, ...flags, "-o", "tested", `${name}_test${extension}`],
    test: () => ["test", "--", "./tested"],
    check: () => ["./tested"],
  };
}

/** The programs of a language, by name. */
export function programsOf(language) {
  const folder = join(PROGRAMS, language);
  return readdirSync(folder)
    .filter((file) => file !== "package.json" && !/(^test_|[._]test\.|Test\.)/.test(file))
    .sort()
    .map((file) => ({
      language,
      name: basename(file, extname(file)),
      extension: extname(file),
      path: join(folder, file),
    }));
}

/** One version of a program in a folder of its own. Returns whether it builds. */
export function lay({ language, name, extension, path }, folder, text) {
  const { tests, files = {}, layout, modules, build } = LANGUAGES[language];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name + extension), text);
  const test = tests(name, extension);
  if (test !== undefined) copyFileSync(join(dirname(path), test), join(folder, test));
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content);
  // Beside both versions: they are run from there.
  const linked = join(dirname(folder), "node_modules");
  if (modules && !existsSync(linked)) symlinkSync(join(ROOT, "node_modules"), linked);
  layout?.({ folder, name, extension });
  return build === undefined || ran(build({ name }), folder, 120).status === 0;
}

/** The file that is mutated, below the folder of its version. */
export function sourceOf({ language, name, extension }) {
  return LANGUAGES[language].source?.() ?? name + extension;
}

export function ran([command, ...args], cwd, seconds, env = process.env) {
  return spawnSync(command, args, {
    cwd,
    env,
    encoding: "utf8",
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
    input: "",
  });
}
