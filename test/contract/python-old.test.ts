import { contract } from "./contract.ts";
import { pythonRows } from "./rows/python.ts";

const TITLES = ["Python (debugpy 1.6)"];

contract(
  TITLES,
  pythonRows.filter(({ title }) => TITLES.includes(title)),
);
