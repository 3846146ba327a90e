/** The debuggers the contract holds for: one row each, in rows/. */
import type { AdapterUnderTest } from "./adapter.ts";
import { gdbRows } from "./rows/gdb.ts";
import { goRows } from "./rows/go.ts";
import { javaRows } from "./rows/java.ts";
import { nativeRows } from "./rows/native.ts";
import { nodeRows } from "./rows/node.ts";
import { perlRows } from "./rows/perl.ts";
import { phpRows } from "./rows/php.ts";
import { pythonRows } from "./rows/python.ts";
import { rubyRows } from "./rows/ruby.ts";

export const adapters: AdapterUnderTest[] = [
  ...nodeRows,
  ...pythonRows,
  ...goRows,
  ...nativeRows,
  ...gdbRows,
  ...rubyRows,
  ...javaRows,
  ...phpRows,
  ...perlRows,
];
