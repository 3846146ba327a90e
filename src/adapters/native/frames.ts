/** Frames as a reader wants them: names without noise, and the user's code told apart from libraries. */
import type { DebugProtocol } from "@vscode/debugprotocol";

/** Where sources of libraries and compilers are, or were when they were built. */
const LIBRARY = [
  /^\/rustc\//,
  /\/\.rustup\/toolchains\//,
  /\/\.cargo\/(registry|git)\//,
  /^\/usr\/(include|lib|lib64|src|share)\//,
  /^\/(build|builddir)\//,
  /^\/(Applications\/Xcode|Library\/Developer|AppleInternal)\b/,
  /\/lib\/gcc\/|\/include\/c\+\+\//,
];

export function isLibrary(path: string): boolean {
  // Debian builds its libraries with paths such as ./nptl/pthread_kill.c
  return !path.startsWith("/") || LIBRARY.some((place) => place.test(path));
}

export function correctFrame(frame: DebugProtocol.StackFrame): DebugProtocol.StackFrame {
  const name = readableName(frame.name);
  const { source, ...rest } = frame;
  // A source that is only a reference is the debugger's disassembly: `sonde disassemble` shows that.
  const path = source?.sourceReference ? undefined : source?.path;
  if (path === undefined) return { ...rest, name, line: 0, column: 0, presentationHint: "subtle" };
  return { ...frame, name, ...(isLibrary(path) ? { presentationHint: "subtle" as const } : {}) };
}

/** `ns::f(int, char const*) const` → `ns::f`; `krate::f::h0123456789abcdef` → `krate::f`. */
export function readableName(name: string): string {
  const plain = name.includes("$") || /::h[0-9a-f]{16}$/.test(name) ? demangled(name) : name;
  // A static function of C++ is one of the global namespace to LLDB.
  return shortened(withoutParameters(plain.replace(ABI_TAG, "")).replace(/^::/, ""));
}

/** What the library's two versions of a type are told apart by: `text[abi:cxx11](int)`. */
const ABI_TAG = /\[abi:\w+\]/g;

const LONGEST = 160;

/** A name of hundreds of characters without what is deepest in its angle brackets. */
function shortened(name: string): string {
  for (let depth = 2; name.length > LONGEST && depth >= 0; depth--) {
    const short = withoutBelow(name, depth);
    if (short.length <= LONGEST || depth === 0) return short.length < name.length ? short : name;
  }
  return name;
}

function withoutBelow(name: string, most: number): string {
  let [depth, kept] = [0, ""];
  for (const [at, char] of [...name].entries()) {
    const closes = char === ">" && name[at - 1] !== "-" && name[at - 1] !== "=";
    if (closes && depth > 0) depth--;
    if (depth <= most) kept += char;
    if (char === "<") {
      depth++;
      if (depth === most + 1) kept += "…";
    }
  }
  return kept;
}

const ESCAPES: Record<string, string> = {
  LT: "<",
  GT: ">",
  RF: "&",
  BP: "*",
  LP: "(",
  RP: ")",
  C: ", ",
  SP: "@",
};

/** What is left of Rust's older mangling when the debugger has taken it apart. */
function demangled(name: string): string {
  return name
    .replace(/::h[0-9a-f]{16}$/, "")
    .replace(/\$u([0-9a-f]{2,4})\$/g, (_all, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/\$([A-Z]{1,2})\$/g, (all, code: string) => ESCAPES[code] ?? all)
    .replace(/(^|::)_(?=[<{&])/g, "$1")
    .replace(/\.\./g, "::");
}

/** Without C++'s parameter list: the frame's values show them better. */
function withoutParameters(name: string): string {
  const end = /\)(?: (?:const|volatile|&|&&|noexcept|\[.*\]))*$/.exec(name);
  if (!end) return name;
  let depth = 0;
  for (let at = end.index; at > 0; at--) {
    if (name[at] === ")") depth++;
    else if (name[at] === "(" && --depth === 0) {
      const before = name.slice(0, at);
      return /operator$/.test(before) ? name : before;
    }
  }
  return name;
}
