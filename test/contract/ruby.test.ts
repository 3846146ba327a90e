import { contract } from "./contract.ts";
import { rubyRows } from "./rows/ruby.ts";

const TITLES = ["Ruby (rdbg)"];

contract(TITLES, rubyRows);
