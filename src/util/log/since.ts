/** Times as one types them: `2h`, `10m`, `2026-11-17`, `2026-11-17T10:00:00Z`. */
const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds since 1970; undefined for what is no time. */
export function parseSince(text: string, now = Date.now()): number | undefined {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\s*([smhd])$/.exec(text.trim()) ?? [];
  if (count !== undefined) return now - Number(count) * (UNITS[unit] ?? 0);
  const time = /^\d{4}-\d{2}-\d{2}/.test(text.trim()) ? Date.parse(text.trim()) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
