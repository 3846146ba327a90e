/** Every adapter Sonde knows, the best first for each language. Adding one is one file and one line here. */
import type { Adapter } from "./adapter.ts";
import { cdtGdbAdapter } from "./cdt-gdb/index.ts";
import { codelldbAdapter } from "./codelldb/index.ts";
import { delveAdapter } from "./delve/index.ts";
import { gdbAdapter } from "./gdb/index.ts";
import { javaAdapter } from "./java/index.ts";
import { jsDebugAdapter } from "./js-debug/index.ts";
import { lldbAdapter } from "./lldb/index.ts";
import { nodeAdapter } from "./node/index.ts";
import { otherAdapters } from "./others/index.ts";
import { perlAdapter } from "./perl/index.ts";
import { phpAdapter } from "./php/index.ts";
import { pythonAdapter } from "./python/index.ts";
import { rubyAdapter } from "./ruby/index.ts";

export const ADAPTERS: readonly Adapter[] = [
  nodeAdapter,
  jsDebugAdapter,
  pythonAdapter,
  delveAdapter,
  // Before those of machine code, which every interpreter is, too.
  rubyAdapter,
  phpAdapter,
  perlAdapter,
  javaAdapter,
  lldbAdapter,
  gdbAdapter,
  codelldbAdapter,
  cdtGdbAdapter,
  ...otherAdapters,
];
