/** `envFile`: KEY=VALUE lines as the editors read them. Pure. */

const LINE = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*)$/;

export function parseEnvFile(text: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const line of text.replace(/^\ufeff/, "").split(/\r?\n/)) {
    const [, key, raw = ""] = LINE.exec(line) ?? [];
    if (key !== undefined) env[key] = value(raw.trim());
  }
  return env;
}

function value(raw: string): string {
  const quoted = /^(["'])((?:\\.|(?!\1).)*)\1/.exec(raw);
  if (!quoted) return raw.replace(/\s+#.*$/, "");
  const [, quote, inner = ""] = quoted;
  return quote === '"' ? inner.replace(/\\n/g, "\n").replace(/\\(["\\])/g, "$1") : inner;
}
