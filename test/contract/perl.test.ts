import { contract } from "./contract.ts";
import { perlRows } from "./rows/perl.ts";

const TITLES = ["Perl (Perl::LanguageServer)"];

contract(TITLES, perlRows);
