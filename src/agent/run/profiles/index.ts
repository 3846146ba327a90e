import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { anthropic, openai, unknown } from "./generic.ts";
import type { ClientName, Profile } from "./profile.ts";

export const PROFILES: Readonly<Record<ClientName, Profile>> = { claude, codex, anthropic, openai, unknown };
