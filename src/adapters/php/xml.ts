/** As much XML as DBGp uses: elements, attributes, text and CDATA. */

export interface Element {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  /** Of its own, without that of its children. */
  text: string;
}

const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<\/([^\s>]+)\s*>|<([^\s/>]+)((?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/g;
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

/** The document's element. */
export function parseXml(source: string): Element {
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  for (const [, cdata, closed, opened, attributes = "", empty, text] of source.matchAll(TOKEN)) {
    const current = open.at(-1) ?? root;
    if (cdata !== undefined) current.text += cdata;
    else if (text !== undefined) current.text += unescaped(text);
    else if (closed !== undefined) open.pop();
    else if (opened !== undefined) {
      const element: Element = { name: opened, attributes: attributesOf(attributes), children: [], text: "" };
      current.children.push(element);
      if (empty === "") open.push(element);
    }
  }
  const [document] = root.children;
  if (document === undefined) throw new Error(`not XML: ${source.slice(0, 100)}`);
  return document;
}

export function child(element: Element, name: string): Element | undefined {
  return element.children.find((one) => one.name === name);
}

function attributesOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(ATTRIBUTE)].map(([, name = "", double, single]) => [
      name,
      unescaped(double ?? single ?? ""),
    ]),
  );
}

function unescaped(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (all, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return ENTITIES[name] ?? all;
  });
}
