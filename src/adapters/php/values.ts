/** DBGp properties as DAP variables. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Element } from "./xml.ts";

/** Where a value is, to ask for its parts: a name in a frame, or a part of what an expression gave. */
export interface Place {
  depth: number;
  context: number;
  /** DBGp's name for it: `$values[2]`. */
  fullName: string;
  /** Parts that came with it, for values that have no name to ask by. */
  parts?: Element[];
}

export type Opened = (place: Place) => number;

export function toVariable(
  property: Element,
  place: Omit<Place, "fullName" | "parts">,
  open: Opened,
): DebugProtocol.Variable {
  const { name = "", fullname, type = "", numchildren = "0", classname } = property.attributes;
  const fullName = fullname ?? "";
  const parts = Number(numchildren);
  return {
    name: name === "" ? fullName : name,
    value: shown(property),
    type: classname ?? type,
    variablesReference:
      parts === 0
        ? 0
        : open({ ...place, fullName, ...(fullName === "" ? { parts: property.children } : {}) }),
    ...(fullName === "" ? {} : { evaluateName: fullName }),
    ...(type === "array" ? { indexedVariables: 0, namedVariables: parts } : {}),
  };
}

export function shown(property: Element): string {
  const { type, numchildren = "0", classname = "object" } = property.attributes;
  switch (type) {
    case "null":
      return "null";
    case "uninit":
      return "(not set)";
    case "bool":
      return textOf(property) === "1" ? "true" : "false";
    case "string":
      return `${JSON.stringify(textOf(property))}${isCut(property) ? "…" : ""}`;
    case "array":
      return brief(property, "[", "]", `array(${numchildren})`);
    case "object":
      return brief(property, `${classname} {`, "}", `${classname} {…}`);
    default:
      return textOf(property);
  }
}

export function textOf({ attributes, text }: Element): string {
  return attributes.encoding === "base64" ? Buffer.from(text, "base64").toString() : text;
}

function isCut(property: Element): boolean {
  return Number(property.attributes.size ?? 0) > Buffer.byteLength(textOf(property));
}

const SHOWN_PARTS = 10;

/** `[1, 2, 3]`, from the parts that came along; `otherwise` when none did. */
function brief(property: Element, open: string, close: string, otherwise: string): string {
  const total = Number(property.attributes.numchildren ?? 0);
  if (total === 0) return `${open}${close}`;
  const parts = property.children.filter(({ name }) => name === "property");
  if (parts.length === 0) return otherwise;
  const list = parts.every(({ attributes }, index) => attributes.name === String(index));
  const texts = parts.slice(0, SHOWN_PARTS).map((one) => {
    const value = Number(one.attributes.numchildren ?? 0) > 0 ? nested(one) : shown(one);
    return list && open === "[" ? value : `${one.attributes.name}: ${value}`;
  });
  return `${open}${texts.join(", ")}${total > texts.length ? ", …" : ""}${close}`;
}

function nested({ attributes }: Element): string {
  return attributes.type === "array" ? `array(${attributes.numchildren})` : `${attributes.classname} {…}`;
}
