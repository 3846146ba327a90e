/** Types as a programmer writes them: `std::map<std::string, int>`, `Vec<String>`, not with everything the library fills in. */

const FILLED_IN =
  /^(?:const )?(?:std::(allocator|less|char_traits|hash|equal_to|default_delete)<|alloc::alloc::Global$|std::hash::random::RandomState$)/;
/** Where Rust keeps them. */
const RUST_PATH =
  /\b(?:alloc|core|std::(?:collections|ffi|fs|hash|io|net|path|process|sync|sys|thread|time))::(?:\w+::)*(?=[A-Z])/g;

export function readableType(type: string): string {
  if (!/\b(?:std|alloc|core)::/.test(type)) return type;
  const plain = type.replace(/\bstd::__(?:cxx11|1|ndk1)::/g, "std::");
  return written(plain)
    .replace(RUST_PATH, "")
    .replace(/\bstd::basic_string(_view)?<char>/g, "std::string$1");
}

/** Without the arguments of templates that nobody writes, however deep. */
function written(type: string): string {
  const start = type.indexOf("<");
  if (start < 0) return type;
  const parts: string[] = [];
  let [depth, from, at] = [1, start + 1, start + 1];
  for (; at < type.length && depth > 0; at++) {
    const char = type[at] ?? "";
    if (/[<(]/.test(char)) depth++;
    else if (/[>)]/.test(char) && type[at - 1] !== "-") depth--;
    if (depth === 0 || (depth === 1 && char === ",")) {
      parts.push(type.slice(from, at).trim());
      from = at + 1;
    }
  }
  // Not what it seems: an operator's name, say.
  if (depth > 0) return type;
  const kept = parts.filter((part, index) => index === 0 || !FILLED_IN.test(part)).map(written);
  return `${type.slice(0, start)}<${kept.join(", ")}>${written(type.slice(at))}`;
}
