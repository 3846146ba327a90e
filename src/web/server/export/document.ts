/** One file that opens offline: the page's own views with what they would have asked for. Nothing in it is run but our script, by its hash. */
import { createHash } from "node:crypto";
import { maskSecrets } from "../../../util/secrets/mask.ts";
import { withoutNamedSecrets } from "./named-values.ts";

export interface Document {
  title: string;
  script: string;
  styles: string;
  /** What the page's calls answer. */
  stored: unknown;
}

export function documentOf({ title, script, styles, stored }: Document): { html: string; masked: number } {
  const named = withoutNamedSecrets(stored);
  const { text, masked: found } = maskSecrets(named.text);
  const masked = named.masked + found;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(styles)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
<body>
<div id="app"><p class="boot">Opening …</p></div>
<script type="application/json" id="sonde-stored">${inert(text)}</script>
<script>${script}</script>
</body>
</html>
`;
  return { html, masked };
}

/** In a script element only \`<\` can end or begin anything. */
function inert(json: string): string {
  return json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** As it stands between the tags. */
function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
