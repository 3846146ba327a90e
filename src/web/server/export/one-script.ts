/**
 * The page's script and all its parts as one script, for a file that opens without a server. The parts are what our build wrote: imports at the
 * beginning, one list of exports at the end, others by `import("./part-….js")`. Anything else is refused, so nothing is packed half.
 */
import { SondeError } from "../../../errors.ts";

const IMPORT = /^import(?:(\{[^}]*\})from)?"\.\/([\w-]+\.js)";\s*/;
const EXPORT = /export\{([^{}]*)\};?\s*$/;
const LATER = /\bimport\("\.\/([\w-]+\.js)"\)/g;

/** `read`: the text of a part, by its name. */
export function oneScript(entry: string, read: (name: string) => string): string {
  const parts = new Map<string, string>();
  const add = (name: string): void => {
    if (parts.has(name)) return;
    parts.set(name, ""); // a part that leads back to it finds it known
    const { text, needs } = asFunction(name, read(name));
    parts.set(name, text);
    for (const one of needs) add(one);
  };
  add(entry);
  const all = [...parts].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",\n");
  const script = `"use strict";(()=>{const parts={\n${all}\n};const made={};const load=(name)=>made[name]??=parts[name]();void load(${JSON.stringify(entry)});})();`;
  // In a document these would end it, or begin a comment.
  return script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

function asFunction(name: string, code: string): { text: string; needs: string[] } {
  const needs: string[] = [];
  let head = "";
  let rest = code.replace(/^(?:\/\*[\s\S]*?\*\/\s*)*/, "");
  for (let found = IMPORT.exec(rest); found; found = IMPORT.exec(rest)) {
    const [whole, names, from = ""] = found;
    needs.push(from);
    head += `${names === undefined ? "" : `const${names.replace(/([\w$]+) as ([\w$]+)/g, "$1:$2")}=`}await load("${from}");`;
    rest = rest.slice(whole.length);
  }
  const exported = EXPORT.exec(rest);
  const body = exported ? rest.slice(0, exported.index) : rest;
  const tail = (exported?.[1] ?? "").replace(/([\w$]+)(?: as ([\w$]+))?/g, (_, own: string, as?: string) => {
    return `get ${as ?? own}(){return ${own}}`;
  });
  const text = body.replace(LATER, (_, from: string) => {
    needs.push(from);
    return `load("${from}")`;
  });
  if (/(^|[;}\n])(import|export)[\s{*"]/.test(text.slice(0, 200)) || /\bimport\.meta\b/.test(text))
    throw new SondeError(
      "INTERNAL",
      `${name} cannot be packed: it imports or exports in a way that is not known`,
    );
  return { text: `async()=>{${head}${text}\nreturn{${tail}}}`, needs };
}
