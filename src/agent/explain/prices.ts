/** What calls cost, as an estimate: list prices for well-known models, which a user's own table goes before. */
import type { Usage } from "../events.ts";

/** Dollars for a million tokens. */
export interface Price {
  /** A model's name; `*` stands for any text. The first that fits is taken. */
  model: string;
  input: number;
  output: number;
  /** A tenth of `input` if left out. */
  cacheRead?: number | undefined;
  /** `input` if left out: not every provider asks for more. */
  cacheWrite?: number | undefined;
}

/** Anthropic asks a quarter more for what it writes to a cache of five minutes. */
function claude(model: string, input: number, output: number, cacheRead = input / 10): Price {
  return { model, input, output, cacheRead, cacheWrite: input * 1.25 };
}

function openai(model: string, input: number, output: number, cacheRead = input / 10): Price {
  return { model, input, output, cacheRead, cacheWrite: input };
}

/** List prices as of November 2026, without bands for long prompts, batches or contracts. */
export const LIST_PRICES: readonly Price[] = [
  claude("*claude-fable-5-1*", 10, 50, 0.25),
  claude("*claude-mythos-5-1*", 10, 50, 0.25),
  claude("*claude-fable-5*", 10, 50),
  claude("*claude-mythos-5*", 10, 50),
  claude("*claude-opus-5-5*", 4, 20, 0.2),
  claude("*claude-opus-5*", 5, 25),
  claude("*claude-opus-4-5*", 5, 25),
  claude("*claude-opus-4-6*", 5, 25),
  claude("*claude-opus-4-7*", 5, 25),
  claude("*claude-opus-4-8*", 5, 25),
  claude("*claude-opus-4*", 15, 75),
  claude("*claude-3-opus*", 15, 75),
  claude("*claude-sonnet-5-5*", 2, 10, 0.1),
  claude("*claude-sonnet-5*", 2, 10),
  claude("*claude-sonnet-4*", 3, 15),
  claude("*claude-3-7-sonnet*", 3, 15),
  claude("*claude-3-5-sonnet*", 3, 15),
  claude("*claude-haiku-5-5*", 0.1, 0.5),
  claude("*claude-haiku-4-5*", 1, 5),
  claude("*claude-3-5-haiku*", 0.8, 4),
  claude("*claude-3-haiku*", 0.25, 1.25),
  openai("gpt-5.4-mini*", 0.75, 4.5),
  openai("gpt-5.4", 2.5, 15),
  openai("gpt-5.4-20*", 2.5, 15),
  openai("gpt-5.3-codex*", 1.75, 14),
  openai("gpt-5.2", 1.75, 14),
  openai("gpt-5.2-20*", 1.75, 14),
  openai("gpt-5.2-codex*", 1.75, 14),
  openai("gpt-5-mini*", 0.25, 2),
  openai("gpt-5.1-codex-mini*", 0.25, 2),
  openai("gpt-5-nano*", 0.05, 0.4),
  openai("gpt-5", 1.25, 10),
  openai("gpt-5-20*", 1.25, 10),
  openai("gpt-5-codex*", 1.25, 10),
  openai("gpt-5.1", 1.25, 10),
  openai("gpt-5.1-20*", 1.25, 10),
  openai("gpt-5.1-codex*", 1.25, 10),
  openai("gpt-4.1-mini*", 0.4, 1.6, 0.1),
  openai("gpt-4.1-nano*", 0.1, 0.4, 0.025),
  openai("gpt-4.1*", 2, 8, 0.5),
  openai("gpt-4o-mini*", 0.15, 0.6, 0.075),
  openai("gpt-4o*", 2.5, 10, 1.25),
  openai("o4-mini*", 1.1, 4.4, 0.275),
  openai("o3-mini*", 1.1, 4.4, 0.55),
  openai("o3", 2, 8, 0.5),
  openai("o3-20*", 2, 8, 0.5),
];

export type PriceOf = (model: string) => Price | undefined;

/** The user's prices first, then the list prices. */
export function priceTable(own: readonly Price[] = []): PriceOf {
  const rows = [...own, ...LIST_PRICES].map((price) => ({ price, fits: glob(price.model) }));
  const known = new Map<string, Price | undefined>();
  return (model) => {
    if (known.has(model)) return known.get(model);
    const price = rows.find(({ fits }) => fits(model))?.price;
    // Names come from the wire: a file that names a new one in each line must not grow this.
    if (known.size < 1000) known.set(model, price);
    return price;
  };
}

/** Dollars. */
export function costOf(usage: Usage, price: Price): number {
  const fresh = Math.max(0, usage.inputTokens - usage.cacheReadTokens - usage.cacheCreationTokens);
  const { input, output, cacheRead = input / 10, cacheWrite = input } = price;
  const millionths =
    fresh * input +
    usage.cacheReadTokens * cacheRead +
    usage.cacheCreationTokens * cacheWrite +
    usage.outputTokens * output;
  return millionths / 1_000_000;
}

/** `*` stands for any text, at any place; linear, because patterns come from a file. */
function glob(pattern: string): (name: string) => boolean {
  const parts = pattern.toLowerCase().split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  return (name) => {
    const model = name.toLowerCase();
    if (parts.length === 1) return model === first;
    if (model.length < first.length + last.length || !model.startsWith(first) || !model.endsWith(last))
      return false;
    const end = model.length - last.length;
    let at = first.length;
    for (const part of parts.slice(1, -1)) {
      const found = model.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
