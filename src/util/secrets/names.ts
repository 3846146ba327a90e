/** Names under which secrets are kept: of headers, JSON keys, variables and options. */

/** How the value of a name is told apart from ordinary text. */
export type NameKind = "password" | "key" | "authorization" | "cookie";

/** In lower case and without separators; a name that ends so is meant too (`STRIPE_SECRET_KEY`, `x-goog-api-key`). */
const ENDINGS: readonly (readonly [string, NameKind])[] = [
  ["authorization", "authorization"],
  ["cookie", "cookie"],
  ["password", "password"],
  ["passwd", "password"],
  ["passphrase", "password"],
  ["passcode", "password"],
  ["pwd", "password"],
  ["secret", "key"],
  ["secretkey", "key"],
  ["apikey", "key"],
  ["accesskey", "key"],
  ["accountkey", "key"],
  ["privatekey", "key"],
  ["signingkey", "key"],
  ["encryptionkey", "key"],
  ["masterkey", "key"],
  ["authkey", "key"],
  ["token", "key"],
  ["credential", "key"],
  ["credentials", "key"],
  ["creds", "key"],
  ["connectionstring", "key"],
];

/** Working folders, places in a list, and the words of tokenizers. */
const NO_SECRETS =
  /^(?:old)?pwd$|(?:next|page|continuation|sync|cancel|cancellation|stop|eos|bos|pad|unk|sep|mask|max|min|per|first|last|prev|previous|current|start|end|special|peek|lookahead)token$/;

/** Last words of a name that say it only with another word before them: `DB_PASS`, `--redis-auth`, `deploy_key`. */
const LAST_WORDS: Readonly<Record<string, NameKind>> = {
  pass: "password",
  pin: "password",
  auth: "key",
  key: "key",
  pat: "key",
  salt: "key",
  dsn: "key",
};
/** They mean something else more often: in lower case only after a word of `HOLDERS`. */
const AMBIGUOUS = new Set(["key", "pat", "pin"]);
const HOLDERS = words(
  `access account admin anthropic api app auth aws azure bot card cert client cloud customer datadog db deploy deployment device encryption
  gcp gh git github gitlab gpg hmac jira jwt license login mail master mongo mysql npm openai pg pgp postgres private redis root
  rsa secret security sentry server service shared sign signing sim smtp ssh ssl stripe tls unlock user vault webhook write`,
);
/** Before one of them: a key of a table, a pass of a compiler or of tests, a pin of a board, a pattern, a switch. */
const ORDINARY = words(
  `arrow button by cache column composite compound dict each echo fail file first foreign gpio group hash index input last led map max
  min mouse multi name next no object one optimizer output partition per prev primary public re record regex render requires routing row
  search second shadow shard short shortcut single sort state storage test tests third trig two unique use with`,
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

const known = new Map<string, NameKind | undefined>();
const MOST_KNOWN = 2000;
const LONGEST = 100;

/** Undefined: what it names is no secret. */
export function secretName(name: string): NameKind | undefined {
  if (name.length < 3 || name.length > LONGEST) return undefined;
  if (known.has(name)) return known.get(name);
  const kind = kindOf(name.toLowerCase().replace(/[^a-z0-9]/g, "")) ?? kindByLastWord(name);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, kind);
  return kind;
}

/** Of an expression, by the last name in it: `user.password`. */
export function isSecretExpression(expression: string): boolean {
  return secretName(expression.split(/[.\s[]|->/).at(-1) ?? "") !== undefined;
}

function kindOf(plain: string): NameKind | undefined {
  const ending = ENDINGS.find(([word]) => plain.endsWith(word));
  return ending === undefined || NO_SECRETS.test(plain) ? undefined : ending[1];
}

/** Alone, `pass` and `dsn` are meant; a `key` may be anything's. */
function kindByLastWord(name: string): NameKind | undefined {
  const own = name.slice(name.lastIndexOf(".") + 1);
  const isUpper = own === own.toUpperCase();
  const all = (isUpper ? own : own.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")).toLowerCase().split(/[^a-z0-9]+/);
  const last = all.at(-1) ?? "";
  const before = all.at(-2) ?? "";
  const kind = Object.hasOwn(LAST_WORDS, last) ? LAST_WORDS[last] : undefined;
  if (kind === undefined) return undefined;
  if (before === "") return last === "pass" || last === "dsn" ? kind : undefined;
  const isOther = AMBIGUOUS.has(last) && !isUpper ? !HOLDERS.has(before) : ORDINARY.has(before);
  return isOther && last !== "salt" && last !== "dsn" ? undefined : kind;
}
