import { contract } from "./contract.ts";
import { nativeRows } from "./rows/native.ts";

const TITLES = ["Rust (LLDB)"];

contract(
  TITLES,
  nativeRows.filter(({ title }) => TITLES.includes(title)),
);
