import { contract } from "./contract.ts";
import { nativeRows } from "./rows/native.ts";

const TITLES = ["C (LLDB)"];

contract(
  TITLES,
  nativeRows.filter(({ title }) => TITLES.includes(title)),
);
