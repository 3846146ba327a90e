/** Values as DAP variables: text made in the program, references that fetch only what is asked for. */
import type { DebugProtocol } from "@vscode/debugprotocol";
import type { Protocol } from "devtools-protocol";
import type { Cdp } from "../target.ts";
import type { Current } from "./current.ts";
import { thrownText } from "./evaluation.ts";
import { Handles } from "./handles.ts";
import { DapError, reasonOf } from "./host.ts";
import { internalMembers, type Shape } from "./internal-members.ts";
import type { Kit } from "./kit.ts";
import type { Described, DescribedMember, Members } from "./kit-source.ts";
import type { Scope } from "./scopes.ts";

/** Something with members. */
export type Container =
  | { kind: "scope"; scope: Scope }
  | { kind: "result"; object: Protocol.Runtime.RemoteObject }
  | { kind: "object"; id: () => Promise<string>; path?: string }
  | { kind: "getter"; of: () => Promise<string>; member: DescribedMember; path?: string };

export interface Page {
  filter: "indexed" | "named" | "";
  start: number;
  count: number;
  hex: boolean;
}

/** Members shown when nobody says how many. */
const PAGE = 1000;
const GETTER_MS = 300;

export class Values {
  readonly #cdp: Cdp;
  readonly kit: Kit;
  readonly containers = new Handles<Container>("variables reference");

  readonly #current: Current;

  constructor(cdp: Cdp, kit: Kit, current: Current) {
    this.#cdp = cdp;
    this.#current = current;
    this.kit = kit;
  }

  async members(container: Container, page: Page): Promise<DebugProtocol.Variable[]> {
    if (container.kind === "getter") return [await this.#runGetter(container, page.hex)];
    if (container.kind === "result")
      return [{ name: "return value", ...(await this.#given(container.object, page.hex)) }];
    const limit = page.count > 0 ? page.count : PAGE;
    if (container.kind === "scope") {
      const found = await container.scope.list(limit, page.hex);
      const reach = (member: DescribedMember) => container.scope.child(member);
      return this.#variables(found, reach, undefined, page, limit);
    }
    const id = await container.id();
    const found = await this.kit.members(id, page.filter, page.start, limit, page.hex);
    const reach = async (member: DescribedMember) =>
      this.kit.unwrap(await this.kit.child(id, member.r, member.k));
    const variables = this.#variables(found, reach, container.path, page, limit, id);
    if (found.internal !== 1 || page.start > 0 || page.filter === "indexed") return variables;
    return [...variables, ...(await internalMembers(this.#cdp, id, (object) => this.remote(object)))];
  }

  /** The value inside a holder made by an evaluation. */
  async held(
    holder: string,
    path: string | undefined,
    hex = false,
  ): Promise<DebugProtocol.EvaluateResponse["body"]> {
    const described = await this.kit.describe(holder, hex);
    const { value, type, ...rest } = this.#shape(described, () => this.kit.unwrap(holder), path);
    return { result: value, ...(type === undefined ? {} : { type }), ...rest };
  }

  /** A value V8 sent by itself. */
  remote(object: Protocol.Runtime.RemoteObject): Shape {
    const id = object.objectId;
    const text = remoteText(object);
    return this.#shape(
      { v: text, t: object.className ?? object.type, ...(id === undefined ? {} : { e: 1 as const }) },
      () => Promise.resolve(id ?? ""),
      undefined,
    );
  }

  /** A value V8 sent with the pause, shown by our own rules. */
  async #given(object: Protocol.Runtime.RemoteObject, hex: boolean): Promise<Shape> {
    if (object.objectId === undefined) return this.remote(object);
    const { result, ...rest } = await this.held(await this.kit.wrap(object.objectId), undefined, hex);
    return { value: result, ...rest };
  }

  #variables(
    found: Members,
    reach: (member: DescribedMember) => Promise<string>,
    path: string | undefined,
    page: Page,
    limit: number,
    owner?: string,
  ): DebugProtocol.Variable[] {
    const variables = found.list.map((member) => {
      const at = childPath(path, member, owner === undefined);
      if (member.g === 1) return this.#lazy(member, owner ?? "", at);
      return { name: member.n, ...this.#shape(member, () => reach(member), at) };
    });
    if (found.more > 0 && page.count === 0)
      variables.push({
        name: "…",
        value: `${found.more} more (${limit} shown; use start and count for the rest)`,
        variablesReference: 0,
        presentationHint: { kind: "virtual" },
      });
    return variables;
  }

  #lazy(member: DescribedMember, owner: string, path: string | undefined): DebugProtocol.Variable {
    return {
      name: member.n,
      value: member.v,
      type: member.t,
      variablesReference: this.containers.add({
        kind: "getter",
        of: () => Promise.resolve(owner),
        member,
        ...(path === undefined ? {} : { path }),
      }),
      presentationHint: { lazy: true },
      ...(path === undefined ? {} : { evaluateName: path }),
    };
  }

  async #runGetter(getter: Container & { kind: "getter" }, hex: boolean): Promise<DebugProtocol.Variable> {
    const { member, path } = getter;
    const failed = (value: string) => ({ name: member.n, value, variablesReference: 0 });
    try {
      const { result, exceptionDetails } = await this.kit.runGetter(
        await getter.of(),
        member,
        GETTER_MS,
        this.#current.pause?.top?.callFrameId,
      );
      if (exceptionDetails !== undefined) return failed(`<error: ${thrownText(exceptionDetails)}>`);
      if (result.objectId === undefined) throw new DapError("the getter returned nothing");
      const { result: value, ...rest } = await this.held(result.objectId, path, hex);
      return { name: member.n, value, ...rest };
    } catch (error) {
      if (/terminated/.test(reasonOf(error)))
        return failed(`<error: the getter did not return within ${GETTER_MS} ms>`);
      throw error;
    }
  }

  #shape(described: Described, id: () => Promise<string>, path: string | undefined): Shape {
    const expandable = described.e === 1;
    let known: Promise<string> | undefined;
    const once = () => {
      known ??= id();
      return known;
    };
    const container: Container = { kind: "object", id: once, ...(path === undefined ? {} : { path }) };
    return {
      value: described.v,
      type: described.t,
      variablesReference: expandable ? this.containers.add(container) : 0,
      ...(path === undefined ? {} : { evaluateName: path }),
      ...(expandable && described.i !== undefined ? { indexedVariables: described.i } : {}),
    };
  }
}

function childPath(parent: string | undefined, member: DescribedMember, isRoot: boolean): string | undefined {
  if (isRoot) return member.p;
  return parent === undefined || member.p === undefined ? undefined : parent + member.p;
}

const REMOTE_LIMIT = 1024;

/** V8's own description, for values that came without being asked for. */
export function remoteText(object: Protocol.Runtime.RemoteObject): string {
  const text =
    object.type === "string"
      ? JSON.stringify(object.value)
      : (object.unserializableValue ?? object.description ?? String(object.value));
  return text.length <= REMOTE_LIMIT ? text : `${text.slice(0, REMOTE_LIMIT)}… (${text.length} chars)`;
}
