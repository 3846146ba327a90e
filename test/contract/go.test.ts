import { contract } from "./contract.ts";
import { goRows } from "./rows/go.ts";

const TITLES = ["Go (delve)"];

contract(TITLES, goRows);
