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
  ["connectionstring", "key"],
];

/** Working folders, places in a list, and the words of tokenizers. */
const NO_SECRETS =
  /^(?:old)?pwd$|(?:next|page|continuation|sync|cancel|cancellation|stop|eos|bos|pad|unk|sep|mask|max|min|per|first|last|prev|previous|current|start|end|special|peek|lookahead)token$/;

const known = new Map<string, NameKind | undefined>();
const MOST_KNOWN = 2000;
const LONGEST = 100;

/** Undefined: what it names is no secret. */
export function secretName(name: string): NameKind | undefined {
  if (name.length < 3 || name.length > LONGEST) return undefined;
  if (known.has(name)) return known.get(name);
  const kind = kindOf(name.toLowerCase().replace(/[^a-z0-9]/g, ""));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(name, kind);
  return kind;
}

function kindOf(plain: string): NameKind | undefined {
  const ending = ENDINGS.find(([word]) => plain.endsWith(word));
  return ending === undefined || NO_SECRETS.test(plain) ? undefined : ending[1];
}
