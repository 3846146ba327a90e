/**
 * Code that runs inside the program: it turns values into short text and lists their members. V8's own previews are not
 * enough (one level deep, and a 100 MB string crosses the wire whole), so values are cut where they live.
 *
 * It never runs the program's code: no getters, no `toString`, no proxy traps. Proxies are told apart by `util.types`.
 * It is text, not a function, so that no bundler or test runner rewrites it; keep it free of backticks.
 */
import { KIT_MEMBERS } from "./kit-members.ts";
import { KIT_TEXT } from "./kit-text.ts";

/** Evaluates to the kit object. `require` is the inspector's command line API. */
export const KIT_SOURCE = `(function (util) {
"use strict";
const types = util.types;
const { isArray } = Array;
const { getOwnPropertyDescriptor: descriptor, getPrototypeOf: prototypeOf } = Object;
const { ownKeys } = Reflect;
const toJson = JSON.stringify;
const getter = (holder, name) => {
  const get = descriptor(holder, name).get;
  return (value) => get.call(value);
};
const call = (method) => {
  const bound = Function.prototype.call.bind(method);
  return bound;
};
${KIT_TEXT}
${KIT_MEMBERS}
return { __proto__: null, text: describe, log, members, scope, frameText, child, thunk, names, cause, whole };
})(require("util"))`;

/** How a member is reached from its container. */
export type Reach = "property" | "symbol" | "entry" | "scope";

/** One member as the kit reports it. */
export interface Described {
  /** Text of the value, already cut. */
  v: string;
  /** Type or class name. */
  t: string;
  /** 1 when it has members worth asking for. */
  e?: 1;
  /** Number of indexed members, if it is a list, a map or a set. */
  i?: number;
}

export interface DescribedMember extends Described {
  n: string;
  /** How to get at it again, and with which key. */
  r: Reach;
  k: string | number;
  /** An accessor that has not been run. */
  g?: 1;
  /** Part of the evaluation path: ".a", "[0]"; absent when it cannot be written. */
  p?: string;
}

export interface Members {
  list: DescribedMember[];
  indexed: number;
  /** Members that were left out by the page size. */
  more: number;
  /** V8 knows more: a promise's result, a proxy's target, private fields. */
  internal?: 1;
}
