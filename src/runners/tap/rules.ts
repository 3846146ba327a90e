/** A program that prints TAP: nothing is thrown where a check fails, so its line is what can be stopped at. */
import { bare } from "../bare.ts";
import type { Rules } from "../runner.ts";

export const tapRules: Rules = {
  catches: [],
  handed: true,
  owns: (frame, above) =>
    /\/Test2?(?:\/.*)?\/?\w*\.pm$/.test(frame.path ?? "") || bare.owns?.(frame, above) === true,
  chatter: /^$|^TAP version|^\s*(?:not )?ok\b|^\s*1\.\.\d+|^\s*#/,
};
