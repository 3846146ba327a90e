/** What `adapters`, `setup` and `doctor` tell, line by line. */
import * as z from "zod";
import { told } from "../answers/shapes.ts";

export const adapterRow = z.object({
  name: z.string(),
  title: z.string(),
  languages: z.array(z.string()),
  fileTypes: z.array(z.string()),
  found: z.boolean(),
  /** `tested`: the contract suite ran against it. */
  mark: z.enum(["tested", "experimental"]),
  version: z.string().optional(),
  path: z.string().optional(),
  notes: z.array(told()).optional(),
  why: told().optional(),
  install: told().optional(),
  /** Of `doctor --verify`: what its sample program showed, or why not. */
  trial: z.object({ ok: z.boolean(), text: told() }).optional(),
});

export type AdapterRow = z.infer<typeof adapterRow>;

export const setupRow = z.object({
  name: z.string(),
  status: z.enum(["present", "installed", "failed"]),
  version: z.string().optional(),
  path: z.string().optional(),
  /** By which recipe, or that it was there already. */
  how: z.string().optional(),
  ms: z.number(),
  /** `session`: a sample program was debugged; `initialize`: it only answered. */
  verified: z.enum(["session", "initialize", "no"]),
  saw: z.string().optional(),
  /** What was tried and why it failed, in order. */
  reasons: z.array(told()),
  byHand: told().optional(),
});

export type SetupRow = z.infer<typeof setupRow>;

export const check = z.object({
  what: z.string(),
  /** `note`: not needed for everything; `bad`: something will not work. */
  state: z.enum(["ok", "note", "bad"]),
  text: told(),
  fix: told().optional(),
});

export type Check = z.infer<typeof check>;

export const languageRow = z.object({
  language: z.string(),
  /** Its compilers or interpreters on this machine. */
  tools: z.array(z.string()),
  /** The adapter that `start` would take. */
  adapter: z.string().optional(),
  install: told().optional(),
  /** `sonde setup` knows how; otherwise it is the user's to install, if wanted. */
  installable: z.boolean().optional(),
});

export type LanguageRow = z.infer<typeof languageRow>;
