import { killRows } from "./kills.ts";
import { LANGUAGES } from "./programs.ts";

killRows(LANGUAGES.node, (name) =>
  /^(daemon|program) killed, (attached, running|launched, stopped)/.test(name) ? 1 : 0,
);
