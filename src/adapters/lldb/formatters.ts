/** How LLDB shows values: what it would sum up as an address or a size alone is shown with what is there. */
import type { Where } from "../adapter.ts";
import { rustFormatters } from "../native/rust.ts";
import { asset } from "./assets.ts";

const POINTERS = [
  "(const )?(unsigned |signed )?(int|long|short|long long)",
  "(const )?(float|double|bool|_Bool)",
];
/** In C these are texts. */
const RUST_POINTERS = ["(un)?signed char", "char32_t"];
const SEQUENCES = "vector|deque|list|forward_list|span|initializer_list|(unordered_)?(multi)?(set|map)";

/** Rust's bytes are numbers, not letters. */
const RUST_BYTES = [
  'type format add -w sonde -p -r -f u "unsigned char"',
  'type format add -w sonde -p -r -f d "signed char"',
  'type format add -w sonde -p -r -f d "char"',
];

const OWNING = "^std::(__[a-z0-9_]+::)?unique_ptr<.+>( &)?$";

/** A Rust program's come from its compiler, with our corrections. */
export async function formatters(rust: boolean, where: Where): Promise<string[]> {
  const theirs = rust ? await rustFormatters(where) : [];
  const script = (name: string) => `command script import "${asset(`${name}.py`)}"`;
  return [
    ...theirs,
    script("lldb_values"),
    script("lldb_evaluate"),
    ...(theirs.length > 0 ? [script("lldb_rust_values")] : []),
    ...POINTERS.map((name) => summary(`-s "→ \${*var}"`, `^${name}( const)? [*&]$`)),
    summary("-F lldb_values.text_at", "^(const )?char \\*( ?const ?)?\\*( const)?$"),
    ...(rust ? RUST_POINTERS.map((name) => summary(`-s "→ \${*var%u}"`, `^${name} \\*$`)) : []),
    ...(rust ? RUST_BYTES : []),
    summary("-e -F lldb_values.container", `^std::(__[a-z0-9_]+::)?(${SEQUENCES})<.+>( &)?$`),
    summary("-e -F lldb_values.tuple", `^std::(__[a-z0-9_]+::)?(tuple|pair)<.*>( &)?$`),
    summary("-e -F lldb_values.bits", "^std::(__[a-z0-9_]+::)?bitset<.+>( &)?$"),
    summary("-e -F lldb_values.array", "^std::(__[a-z0-9_]+::)?array<.+>( &)?$"),
    summary("-e -F lldb_values.owned", OWNING),
    `type synthetic add -w sonde -l lldb_values.Owned -x "${OWNING}"`,
    summary("-e -F lldb_values.optional", "^std::(__[a-z0-9_]+::)?optional<.+>( &)?$"),
    ...(rust
      ? []
      : [
          "type summary add -w sonde -p -r -e -F lldb_values.members --recognizer-function lldb_values.is_left_out",
        ]),
    "type category enable sonde",
  ];
}

function summary(how: string, types: string): string {
  return `type summary add -w sonde ${how} -x "${types}"`;
}
