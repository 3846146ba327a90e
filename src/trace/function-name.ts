/** Whether a function of the program is the one that is asked for, in whatever way a debugger writes its name. Pure. */

/** `paths.(*Graph[int]).All` → paths, Graph, All; `ns::f(int)` → ns, f. */
export function nameParts(name: string): string[] {
  return withoutArguments(name)
    .replace(/\(\*?([\w$]+)\)(?=\.)/g, "$1")
    .replace(/\(.*\)?$/, "")
    .split(/\.|::|#|\//)
    .filter((part) => part !== "" && !part.startsWith("{impl"));
}

/** Of generic functions: `fill<std::vector<int>>` → fill. */
function withoutArguments(name: string): string {
  const shorter = name.replace(/\[[^\][]*\]|<[^<>]*>/g, "");
  return shorter === name ? name : withoutArguments(shorter);
}

/** By its last parts; a debugger that leaves the class out is taken at its word. */
export function isFunction(name: string, wanted: string): boolean {
  const [has, asked] = [nameParts(name), nameParts(wanted)];
  if (asked.length === 0) return false;
  const shared = Math.min(has.length, asked.length);
  if (has.length < asked.length && has.length > 1) return false;
  return asked.slice(-shared).join("\0") === has.slice(-shared).join("\0");
}
