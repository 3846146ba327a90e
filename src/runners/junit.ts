/** As much of JUnit's XML as test runners write. */

export interface Case {
  name: string;
  className: string;
  file?: string;
  state: "passed" | "failed" | "skipped";
  /** The attribute, and the text inside. */
  message: string;
  text: string;
}

export function junitCases(xml: string): Case[] {
  const cases = xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g);
  return [...cases].map(([, head = "", body = ""]) => {
    const fault = /<(failure|error)\b([^>]*?)(?:\/>|>([\s\S]*?)<\/\1>)/.exec(body);
    const file = attribute(head, "file");
    return {
      name: attribute(head, "name") ?? "",
      className: attribute(head, "classname") ?? "",
      ...(file === undefined ? {} : { file }),
      state: fault ? "failed" : /<skipped\b/.test(body) ? "skipped" : "passed",
      message: attribute(fault?.[2] ?? "", "message") ?? "",
      text: textOf(fault?.[3] ?? ""),
    };
  });
}

/** Text between the marks of a CDATA section stands for itself. */
function textOf(xml: string): string {
  return xml
    .split(/<!\[CDATA\[([\s\S]*?)\]\]>/)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join("");
}

function attribute(head: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(head)?.[1];
  return value === undefined ? undefined : plain(value);
}

const NAMED: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function plain(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(lt|gt|quot|apos|amp));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
