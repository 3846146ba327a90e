/** Programs on the vendors' SDKs, and programs of which nothing is known: the base URL by the SDKs' own variables. */
import { fromEnvironment, openaiBase, type Profile } from "./profile.ts";

export const anthropic: Profile = {
  name: "anthropic",
  title: "a program that uses the Anthropic API",
  wire: "anthropic",
  patient: false,
  upstream: ({ env }) => fromEnvironment(env),
  prepare: ({ argv }, { base }) => ({ argv, set: { ANTHROPIC_BASE_URL: base }, costs: [], hooks: false }),
};

export const openai: Profile = {
  name: "openai",
  title: "a program that uses the OpenAI API",
  wire: "openai",
  patient: false,
  upstream: ({ env }) => fromEnvironment(env),
  prepare: ({ argv }, { base }) => ({
    argv,
    set: { OPENAI_BASE_URL: openaiBase(base) },
    costs: [],
    hooks: false,
  }),
};

export const unknown: Profile = {
  name: "unknown",
  title: "a program that Sonde does not know",
  patient: false,
  upstream: ({ env }) => fromEnvironment(env),
  prepare: ({ argv }, { base }) => ({
    argv,
    set: { ANTHROPIC_BASE_URL: base, OPENAI_BASE_URL: openaiBase(base) },
    costs: ["A program that reads neither variable bypasses Sonde."],
    hooks: false,
  }),
};
