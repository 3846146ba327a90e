/** By what two calls of a tool are known to be the same. */
import * as crypto from "node:crypto";
import { contentKey } from "./fields.ts";

/** Short, however long the input is. */
export function callKey(agent: string, tool: string, input: unknown): string {
  return digest(`${agent}\0${tool}\0${contentKey(input) ?? ""}`);
}

/** Node has the first since 20.12: it makes no object for each text, which costs more than the digest. */
const digest: (text: string) => string =
  typeof crypto.hash === "function"
    ? (text) => crypto.hash("sha256", text, "base64")
    : (text) => crypto.createHash("sha256").update(text).digest("base64");
