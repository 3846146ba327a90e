import { contract } from "./contract.ts";
import { phpRows } from "./rows/php.ts";

const TITLES = ["PHP (Xdebug)"];

contract(TITLES, phpRows);
