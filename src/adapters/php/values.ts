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
  total: number;
}

export type Opened = (place: Place) => number;

export function toVariable(
  property: Element,
  place: Pick<Place, "depth" | "context">,
  open: Opened,
): DebugProtocol.Variable {
  const { name = "", fullname, type = "", numchildren = "0", classname } = property.attributes;
  // Of a part of what an expression gave it is one that begins nowhere.
  const fullName = fullname?.startsWith("$") || fullname?.includes("::") ? fullname : "";
  const total = Number(numchildren);
  const parts = property.children.filter((one) => one.name === "property");
  const { depth, context } = place;
  const canOpen = total > 0 && (fullName !== "" || parts.length > 0);
  return {
    name: name === "" ? fullName : name,
    value: shown(property),
    type: classname ?? type,
    variablesReference: canOpen
      ? open({ depth, context, fullName, total, ...(fullName === "" ? { parts } : {}) })
      : 0,
    ...(fullName === "" ? {} : { evaluateName: fullName }),
    ...(type === "array" ? { indexedVariables: 0, namedVariables: total } : {}),
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

/** A variable, and what leads on from it: what Xdebug can be asked for by name, as often as one likes. */
const PATH = /^\$\w+(?:->\w+|\[(?:-?\d+|"[^"\\$]*"|'[^'\\]*')\])*$/;

/** Xdebug's own name for what an expression means, if it means a place and not a computation. */
export function nameOf(expression: string): string | undefined {
  const path = expression.trim();
  return PATH.test(path) ? path.replace(/\['([^'"]*)'\]/g, '["$1"]') : undefined;
}
