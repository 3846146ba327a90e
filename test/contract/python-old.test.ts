import { contract } from "./contract.ts";
import { pythonRows } from "./rows/python.ts";

const TITLES = ["Python (system's debugpy)"];

contract(
  TITLES,
  pythonRows.filter(({ title }) => TITLES.includes(title)),
);
