/** What `agent events --json` has of a run. */
export interface Columns {
  began: number;
  names: { types: string[]; agents: string[]; tools: string[] };
  seq: number[];
  at: number[];
  type: number[];
  agent: number[];
  tool: number[];
  req: number[];
  call: number[];
  ms: number[];
  failed: number[];
  spent: {
    seq: number[];
    input: number[];
    cacheRead: number[];
    cacheWritten: number[];
    output: number[];
    dollars: number[];
  };
  repeats: { tool: string; agent: string; input: string; seq: number[]; count: number }[];
  debugged: { seq: number; call: number; argv: string; session?: string; trace?: string }[];
}
