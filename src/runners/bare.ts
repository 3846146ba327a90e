/** A test binary, or any other program. GoogleTest, which reports failures without raising anything, is told to trap at the first. */
import type { Rules } from "./runner.ts";

/** Means nothing to any other program. */
export const BARE_ENV = {
  GTEST_BREAK_ON_FAILURE: "1",
  GTEST_CATCH_EXCEPTIONS: "0",
  GTEST_COLOR: "no",
};

export const bare: Rules = {
  catches: [],
  owns: ({ path = "" }) => /\/(googletest|googlemock|gtest|gmock)\//.test(path),
  hides: ({ name, type = "" }) =>
    /^(gtest_ar_?|__PRETTY_FUNCTION__)$/.test(name) || (name === "this" && /_Test \*( const)?$/.test(type)),
  chatter: /^\[[=-]{10}\]|^\[ +(RUN|OK) +\]|^Running main\(\) from |^Note: Google Test filter/,
};
