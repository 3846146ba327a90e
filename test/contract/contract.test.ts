import { adapters } from "./adapters.ts";
import { contract } from "./contract.ts";

contract(adapters);
