import { contract } from "./contract.ts";
import { javaRows } from "./rows/java.ts";

const TITLES = ["Java"];

contract(TITLES, javaRows);
