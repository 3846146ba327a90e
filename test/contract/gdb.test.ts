import { contract } from "./contract.ts";
import { gdbRows } from "./rows/gdb.ts";

const TITLES = ["C (older gdb)"];

contract(TITLES, gdbRows);
