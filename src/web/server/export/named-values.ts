/**
 * Values of a secret's name, where the name does not stand beside them: by their place in a trace's plan, in pairs, in rows of two runs.
 * What was found so is masked wherever else it stands.
 */
import { type Masked, ownMasker } from "../../../util/secrets/mask.ts";
import { isSecretExpression } from "../../../util/secrets/names.ts";
import type { Row } from "../asking.ts";

/** As in the report. */
const KIND = "variable";
/** Lists of `[name, value]`. */
const PAIRS = new Set(["changes", "given"]);
/** What a row is about, and what of it is a value. */
const NAMES = ["name", "var", "what", "expression"];
const VALUES = ["value", "a", "b", "children", "was"];
/** A shorter text, or more of them, would take away what is no secret. */
const LEAST_ELSEWHERE = 6;
const MOST_ELSEWHERE = 2000;

/** By point of a plan and expression: whether it is a secret's. */
type Plan = readonly (readonly boolean[])[];

/** As JSON text. */
export function withoutNamedSecrets(data: unknown): Masked {
  const values = new NamedValues();
  const text = JSON.stringify(values.clean(data, []));
  return { text: values.elsewhere(text), masked: values.masked };
}

class NamedValues {
  masked = 0;
  readonly #texts = new Set<string>();

  clean(value: unknown, plan: Plan): unknown {
    if (Array.isArray(value)) {
      return typeof value[0] === "number" ? value : value.map((one) => this.clean(one, plan));
    }
    if (!isRow(value)) return value;
    const here = planIn(value) ?? plan;
    const isSecret = NAMES.some((key) => {
      const name = value[key];
      return typeof name === "string" && isSecretExpression(name);
    });
    const secret = here[Number(value.point)] ?? [];
    const known = Object.entries(value).map(([key, one]): [string, unknown] => {
      if (isSecret && VALUES.includes(key)) return [key, this.#gone(one)];
      if (PAIRS.has(key) && Array.isArray(one)) return [key, one.map((pair) => this.#pair(pair, here))];
      if (key === "values" && Array.isArray(one) && secret.includes(true))
        return [key, this.#chosen(one, secret)];
      if (key === "buckets" && isRow(one) && Array.isArray(one.columns))
        return [key, { ...one, columns: this.#chosen(one.columns, secret) }];
      if (key === "statistics" && Array.isArray(one))
        return [key, one.map((all, at) => (Array.isArray(all) ? this.#chosen(all, here[at] ?? []) : all))];
      return [key, this.clean(one, here)];
    });
    return Object.fromEntries(known);
  }

  /** The same texts, in JSON text. */
  elsewhere(json: string): string {
    let text = json;
    for (const one of [...this.#texts].sort((a, b) => b.length - a.length).slice(0, MOST_ELSEWHERE))
      text = text.replaceAll(JSON.stringify(one).slice(1, -1), ownMasker().maskOf(one, KIND));
    return text;
  }

  #chosen(all: readonly unknown[], secret: readonly boolean[]): unknown[] {
    return all.map((one, at) => (secret[at] ? this.#gone(one) : one));
  }

  #pair(pair: unknown, plan: Plan): unknown {
    if (!Array.isArray(pair) || typeof pair[0] !== "string") return this.clean(pair, plan);
    return isSecretExpression(pair[0]) ? [pair[0], ...pair.slice(1).map((one) => this.#gone(one))] : pair;
  }

  /** Every text in it; numbers of which a value could be told, too. */
  #gone(value: unknown): unknown {
    if (typeof value === "string") {
      this.masked += 1;
      const quoted = /^(["'`])(.*)\1$/s.exec(value)?.[2];
      if (quoted !== undefined && quoted.length >= LEAST_ELSEWHERE) this.#texts.add(quoted);
      return ownMasker().maskOf(value, KIND);
    }
    if (Array.isArray(value)) return value.map((one) => this.#gone(one));
    if (!isRow(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => {
        if ((key === "min" || key === "max") && Array.isArray(one)) return [key, one.map(() => null)];
        return [key, key === "handle" || key === "type" || key === "name" ? one : this.#gone(one)];
      }),
    );
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Of a trace: its own, or its head's. */
function planIn(row: Row): Plan | undefined {
  for (const holder of [row, row.head, row.trace]) {
    const points = isRow(holder) && isRow(holder.plan) ? holder.plan.points : undefined;
    if (!Array.isArray(points)) continue;
    return points.map((one) =>
      isRow(one) && Array.isArray(one.expressions)
        ? one.expressions.map((text) => isSecretExpression(String(text)))
        : [],
    );
  }
  return undefined;
}
