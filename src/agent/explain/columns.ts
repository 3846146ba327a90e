/** What a view has of a run: the same for who makes it and for the page, which takes it from here as a type. */
export interface RunColumns {
  /** Milliseconds since 1970 at which `at` is 0. */
  began: number;
  names: { types: string[]; agents: string[]; tools: string[] };
  seq: number[];
  /** Milliseconds since the session began. */
  at: number[];
  /** Into `names`; `tool` counts from 1, 0 where there is none. */
  type: number[];
  agent: number[];
  tool: number[];
  /** The call to the model that it belongs to, or 0. */
  req: number[];
  /** Events of one tool call have the same number, from 1; 0 where there is none. */
  call: number[];
  /** How long it took, or was held, in milliseconds; -1 where that is not known. */
  ms: number[];
  /** Events that say that something failed. */
  failed: number[];
  /** For each event that says that something is held, or is let go: which hold it is. Several may be at the same time. */
  holds: { seq: number[]; stop: string[] };
  /** Events with tokens, and what they cost; -1 dollars where the model has no known price. */
  spent: {
    seq: number[];
    input: number[];
    cacheRead: number[];
    cacheWritten: number[];
    output: number[];
    dollars: number[];
  };
  /** The same tool called with the same input, twice or more, by the same agent. */
  repeats: { tool: string; agent: string; input: string; seq: number[]; count: number }[];
  /** Commands of Sonde that the agent ran: which debug session each was about, and which trace or profile it made. */
  debugged: {
    seq: number;
    call: number;
    argv: string;
    session?: string;
    trace?: string;
    profile?: string;
  }[];
}
