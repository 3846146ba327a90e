/** Ages as one types them. */
import { advice, named } from "../advice/advice.ts";
import { SondeError } from "../errors.ts";

const AGES: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `30d` */
export function ageMs(text: string): number {
  const [, count, unit = ""] = /^(\d+)\s*([mhdw])$/i.exec(text.trim()) ?? [];
  const age = Number(count) * (AGES[unit.toLowerCase()] ?? Number.NaN);
  if (!Number.isNaN(age)) return age;
  throw new SondeError("BAD_ARGUMENT", advice`${named("olderThan")}: \`${text}\` is not an age`, {
    hint: "a number with m, h, d or w: 30d",
  });
}
