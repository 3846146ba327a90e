/** Commands that start tests as programs of their own: a debugger has nothing to hold on to in them. */
import { base } from "./command-line.ts";

const DRIVERS = new Set(
  "make gmake ninja meson bazel just task mvn mvnw gradle gradlew ant sbt sh bash dash ksh zsh".split(" "),
);

/** The name of the driver, if the command line is one's. */
export function driverOf(words: readonly string[]): string | undefined {
  const name = base(words[0] ?? "");
  return DRIVERS.has(name) || /\.(?:sh|bash)$/.test(name) ? name : undefined;
}
