/** What differs between two runs of the same work: times, ids, folders. Each kind has a name, so that an answer can say what it passed over. */
import { homedir } from "node:os";
import { regExpText } from "../../util/text.ts";
import type { JsonPath } from "../explain/json-differences.ts";

export interface VolatileText {
  name: string;
  pattern: RegExp;
}

export interface Volatile {
  texts: readonly VolatileText[];
  /** The kind of a value that may be anything at this place; undefined if it may not. */
  place(path: JsonPath): string | undefined;
}

export interface VolatileOptions {
  /** The folders in which the agent worked, then and now. */
  cwds: readonly string[];
  /** The user's own: text that may differ. */
  ignore?: readonly RegExp[] | undefined;
}

const MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}";
const DATES = [
  String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
  String.raw`\b${MONTH} \d{1,2}(?:,? \d{4})?(?: \d{2}:\d{2}:\d{2})?(?: \d{4})?`,
  String.raw`\b\d{1,2} ${MONTH} \d{4}`,
  String.raw`\b\d{1,2}/\d{1,2}/\d{4}`,
  String.raw`\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[AP]M)?\b`,
  String.raw`\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:day|sday|nesday|rsday|urday)?\b`,
];
const IDS = [
  String.raw`(?<![0-9A-Za-z])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`,
  String.raw`\b(?:toolu|srvtoolu|msg|call|req|resp|fc|rs|ctc|chatcmpl|session|user|account)[_-][A-Za-z0-9]{6,80}(?:-[0-9a-f]{4,12}){0,4}\b`,
  String.raw`\bdebug_\d{8}_\d{6}_[0-9a-z]{1,12}\b`,
  String.raw`\b[0-9a-f]{16,64}\b`,
];
const PORTS = String.raw`\b(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}(?:/[A-Za-z0-9_-]{16,64})?`;
/** Codex writes both above what a command printed. */
const TIMINGS = String.raw`\bChunk ID: [0-9a-f]+|\bWall time: [0-9.]+ seconds`;
const BILLING = String.raw`x-anthropic-billing-header:[^\n]*`;

/** What says who asks and which cache to use, and changes nothing about the question. */
const FREE_AT_TOP: Record<string, string> = {
  metadata: "metadata",
  user: "metadata",
  client_metadata: "metadata",
  safety_identifier: "metadata",
  prompt_cache_key: "metadata",
  previous_response_id: "ids",
};

export function volatile({ cwds, ignore = [] }: VolatileOptions): Volatile {
  return {
    texts: [
      { name: "billing header", pattern: new RegExp(BILLING, "g") },
      { name: "timings", pattern: new RegExp(TIMINGS, "g") },
      { name: "folders", pattern: folders(cwds) },
      { name: "ports", pattern: new RegExp(PORTS, "g") },
      { name: "dates", pattern: new RegExp(DATES.join("|"), "g") },
      { name: "ids", pattern: new RegExp(IDS.join("|"), "g") },
      ...ignore.map((pattern) => ({ name: `/${pattern.source}/`, pattern: global(pattern) })),
    ],
    place(path) {
      if (path.at(-1) === "cache_control") return "cache_control";
      const [first, , third] = path;
      // Codex has some with each message.
      if (path.length === 3 && typeof third === "string" && /(^|_)metadata(_|$)/.test(third))
        return "metadata";
      if (path.length !== 1 || typeof first !== "string") return undefined;
      return Object.hasOwn(FREE_AT_TOP, first) ? FREE_AT_TOP[first] : undefined;
    },
  };
}

/** The agent's folder, also as part of a name (`-work-app`), and folders for things that do not last. */
function folders(cwds: readonly string[]): RegExp {
  const named = [...new Set(cwds.filter((cwd) => cwd.length > 1))].sort((a, b) => b.length - a.length);
  const slugs = named.map((cwd) => cwd.replace(/[^A-Za-z0-9]/g, "-")).filter((slug) => slug.length > 3);
  const known = [...named, ...slugs, homedir()].filter((path) => path.length > 1).map(regExpText);
  const temporary = String.raw`(?:/private)?/(?:tmp|var/folders)/[^\s"'\`<>()\\]+`;
  return new RegExp([...known, temporary].join("|"), "g");
}

function global(pattern: RegExp): RegExp {
  return pattern.global ? pattern : new RegExp(pattern.source, `${pattern.flags}g`);
}
