import { contract } from "./contract.ts";
import { nodeRows } from "./rows/node.ts";

const TITLES = ["Node 20", "Node 26"];

contract(TITLES, nodeRows);
