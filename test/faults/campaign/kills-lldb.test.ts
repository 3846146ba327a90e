import { killRows } from "./kills.ts";
import { LANGUAGES } from "./programs.ts";

killRows(LANGUAGES.c, (name) =>
  /^daemon killed, attached, running|^client killed, launched, stopped/.test(name) ? 1 : 0,
);
