/**
 * Stands in for the JSON Schema library that the SDK brings for answers to its own questions (scripts/build.mjs puts it there).
 * We ask clients nothing of that kind, and reading it would be a quarter of the server's start.
 */
export default function noValidator(): never {
  throw new Error("this server asks no questions that need a JSON Schema validator");
}
