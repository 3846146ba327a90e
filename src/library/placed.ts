/** What stands by place in a method's arguments, as the command's arguments. */

/** `2`, `[2, 3]`, `"all"`, or more in words: `{ at: "app.js:12" }`. */
export function chosen(which: number | readonly number[] | "all" | object): Record<string, unknown> {
  if (which === "all") return { all: true };
  if (typeof which === "number") return { ids: [which] };
  return Array.isArray(which) ? { ids: which } : { ...which };
}

/** The argument itself, or options in its place: `breakpoints.add({ function: "main" })`. */
export function placed(key: string, value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? { ...value }
    : { [key]: value };
}
