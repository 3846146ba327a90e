/** How LLDB shows values: what it would sum up as an address or a size alone is shown with what is there. */
import { ownFile } from "../../util/own-file.ts";
import type { Where } from "../adapter.ts";
import { rustFormatters } from "../native/rust.ts";

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

/** In C++ `char` is a letter, and what is signed or unsigned a number, as `int8_t` and `uint8_t` are. */
const BYTES = RUST_BYTES.slice(0, 2);

const standard = (names: string) => `^std::(__[a-z0-9_]+::)?${names}<.+>( &)?$`;
const OWNING = standard("unique_ptr");
const SHARING = standard("(shared|weak)_ptr");
const OPTIONAL = standard("optional");
const TREES = "^alloc::collections::btree::(map::BTreeMap|set::BTreeSet)<.+>$";

/** A Rust program's come from its compiler, with our corrections. */
export async function formatters(rust: boolean, where: Where): Promise<string[]> {
  const theirs = rust ? await rustFormatters(where) : [];
  const script = (name: string, folder = "lldb") =>
    `command script import "${ownFile(`adapters/${folder}/${name}.py`)}"`;
  return [
    ...theirs,
    script("lldb_values"),
    script("lldb_library"),
    script("native_unset", "native"),
    script("lldb_evaluate"),
    script("lldb_threads"),
    ...(rust ? [] : [script("lldb_returned")]),
    script("lldb_hits"),
    script("lldb_handlers"),
    ...(theirs.length > 0 ? [script("lldb_rust_values"), script("lldb_rust_trees")] : []),
    ...(theirs.length > 0
      ? [
          summary(
            "-e -F lldb_rust_values.guarded",
            "^std::sync::(poison::)?(mutex::Mutex|rwlock::RwLock)<.+>$",
          ),
          summary("-e -F lldb_rust_trees.summary", TREES),
          `type synthetic add -w sonde -l lldb_rust_trees.Tree -x "${TREES}"`,
        ]
      : []),
    ...POINTERS.map((name) => summary(`-s "→ \${*var}"`, `^${name}( const)? ([*&]|&&)$`)),
    summary("-F lldb_values.text_at", "^(const )?char \\*( ?const ?)?\\*( const)?$"),
    ...(rust ? RUST_POINTERS.map((name) => summary(`-s "→ \${*var%u}"`, `^${name} \\*$`)) : []),
    ...(rust ? RUST_BYTES : BYTES),
    summary("-e -F lldb_values.container", `^std::(__[a-z0-9_]+::)?(${SEQUENCES})<.+>( &)?$`),
    summary("-e -F lldb_values.tuple", `^std::(__[a-z0-9_]+::)?(tuple|pair)<.*>( &)?$`),
    summary("-e -F lldb_values.bits", "^std::(__[a-z0-9_]+::)?bitset<.+>( &)?$"),
    summary("-e -F lldb_values.array", "^std::(__[a-z0-9_]+::)?array<.+>( &)?$"),
    summary("-e -F lldb_library.owned", OWNING),
    summary("-e -F lldb_library.shared", SHARING),
    ...[OWNING, SHARING].map((types) => synthetic("Owned", types)),
    summary("-e -F lldb_library.optional", OPTIONAL),
    synthetic("Optional", OPTIONAL),
    summary("-e -F lldb_library.variant", standard("variant")),
    summary("-e -F lldb_library.atomic", standard("atomic")),
    summary("-e -F lldb_library.function", standard("function")),
    summary("-e -F lldb_library.anything", "^std::any( &)?$"),
    ...(rust
      ? []
      : [recognized("lldb_values.members", "is_left_out", "-r"), recognized("lldb_library.text", "is_text")]),
    "type category enable sonde",
  ];
}

function summary(how: string, types: string): string {
  return `type summary add -w sonde ${how} -x "${types}"`;
}

function synthetic(name: string, types: string): string {
  return `type synthetic add -w sonde -l lldb_library.${name} -x "${types}"`;
}

/** By the function beside it that says which types it is for. */
function recognized(shows: string, isFor: string, how = ""): string {
  return `type summary add -w sonde ${how} -e -F ${shows} --recognizer-function ${shows.replace(/\w+$/, isFor)}`;
}
