/** JSON in which what a terminal or a reader could be misled by (bidi marks, line separators) stands as `\uXXXX`: the same data. */
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g;

export function safeJson(value: unknown): string {
  // Outside its strings JSON is plain ASCII, so whatever is found stands in one.
  return (JSON.stringify(value) ?? "null").replace(INVISIBLE, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
