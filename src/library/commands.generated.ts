/** Generated from the command declarations (`npm run generate`): what every command answers. */
// biome-ignore-all format: generated

export interface ValueLine {
  name: string;
  value: string;
  type?: string;
  handle?: string;
  change?: "new" | "changed";
  was?: string;
  scope?: string;
  children?: ValueLine[];
  moreChildren?: number;
}

export interface FrameLine {
  index: number;
  function: string;
  path?: string;
  line: number;
  user: boolean;
  label?: true;
}

export interface SourceLine {
  line: number;
  text: string;
}

export interface OutputLine {
  stream: "stdout" | "stderr" | "log";
  text: string;
  from?: string;
  /** of a piece: which run of the program, from 2 (it was restarted) */
  run?: number;
}

export interface OutputTail {
  lines: OutputLine[];
  moreLines: number;
}

export interface Snapshot {
  session: string;
  agent?: string;
  owner?: "person";
  reason: string;
  description?: string;
  breakpoints: {
    id: number;
    hit: number;
    at: string;
    kind?: "instruction" | "data";
  }[];
  watches?: {
    id: number;
    expression: string;
    access: "write" | "read" | "readWrite";
    old?: string;
    new?: string;
    gone?: string;
  }[];
  exception?: {
    type?: string;
    message: string;
    uncaught?: boolean;
    causes: string[];
  };
  thread: {
    id: number;
    name: string;
  };
  stoppedThread?: number;
  frame?: FrameLine;
  above: number;
  instruction?: string;
  source: SourceLine[];
  values: ValueLine[];
  moreValues: number;
  stack: FrameLine[];
  moreFrames: number;
  moreOwnFrames?: number;
  uncounted?: true;
  output: OutputTail;
  notes: string[];
  unbound: {
    id: number;
    at: string;
    why: string;
    kind?: "instruction" | "data";
  }[];
}

export interface Evaluation {
  expression: string;
  value?: ValueLine;
  error?: string;
}

export interface BreakpointRow {
  id: number;
  kind: "line" | "function" | "instruction" | "data";
  at: string;
  path?: string;
  line?: number;
  boundLine?: number;
  state: "bound" | "not bound" | "disabled" | "waiting";
  message?: string;
  refused?: "condition" | "hitCondition" | "logMessage";
  hits: number;
  condition?: string;
  hitCondition?: string;
  logMessage?: string;
  once?: boolean;
  address?: string;
  access?: "write" | "read" | "readWrite";
  value?: string;
}

export type MoveResult = {
  state: "stopped";
  snapshot: Snapshot;
  evaluations: Evaluation[];
  added: BreakpointRow[];
} | {
  state: "running";
  session: string;
  waitedSecs: number;
  output: OutputTail;
  notes: string[];
  added: BreakpointRow[];
  unbound: {
    id: number;
    at: string;
    why: string;
    kind?: "instruction" | "data";
  }[];
} | {
  state: "exited";
  session: string;
  how: "exited" | "terminated" | "detached" | "failed";
  exitCode?: number;
  signal?: string;
  why?: string;
  output: OutputTail;
  notes: string[];
  neverHit: BreakpointRow[];
};

export interface Ending {
  how: "exited" | "terminated" | "detached" | "failed";
  exitCode?: number;
  signal?: string;
  why?: string;
}

export interface ThreadGroup {
  threads: {
    id: number;
    name: string;
  }[];
  frames: FrameLine[];
  moreFrames: number;
  source?: string;
}

export interface Death {
  exception?: {
    type?: string;
    message: string;
    uncaught?: boolean;
    causes: string[];
  };
  reason: string;
  thread: {
    id: number;
    name: string;
  };
  frame?: FrameLine;
  source: SourceLine[];
  frames: {
    index: number;
    function: string;
    path?: string;
    line: number;
    user: boolean;
    label?: true;
    source?: string;
    values: ValueLine[];
  }[];
  moreFrames: number;
  /** how many of those are the user's, if the whole stack was read */
  moreOwnFrames?: number;
  /** there are more frames than those: nobody has counted them */
  uncounted?: true;
  causes: {
    what: string;
    frames: {
      index: number;
      function: string;
      path?: string;
      line: number;
      user: boolean;
      label?: true;
      source?: string;
      values: ValueLine[];
    }[];
  }[];
  others: ThreadGroup[];
  moreThreads: number;
}

export interface WaitingThread {
  number: number;
  name: string;
  what?: string;
  on?: string;
  identity?: string;
  heldBy: number[];
}

export interface FailureShot {
  exception?: {
    type?: string;
    message: string;
    causes: string[];
  };
  frames: {
    function: string;
    path?: string;
    line: number;
    source: SourceLine[];
    values: ValueLine[];
  }[];
  /** of the user's own */
  moreFrames: number;
  /** the last of those: the test */
  outermost?: {
    function: string;
    path?: string;
    line: number;
    source: SourceLine[];
    values: ValueLine[];
  };
  /** frames of the runner, of libraries and of the runtime */
  folded: number;
  output: OutputTail;
  notes: string[];
}

export type TraceHit = {
  kind: "point";
  seq: number;
  ms: number;
  thread: string;
  point: number;
  hit: number;
  values: string[];
  frames: {
    function: string;
    path?: string;
    line: number;
  }[];
} | {
  kind: "call";
  seq: number;
  ms: number;
  thread: string;
  call: number;
  parent?: number;
  function: string;
  path: string;
  line: number;
  changes: [string, string][];
  gone?: string[];
  value?: string;
} | {
  kind: "line";
  seq: number;
  ms: number;
  thread: string;
  call: number;
  parent?: number;
  function: string;
  path: string;
  line: number;
  changes: [string, string][];
  gone?: string[];
  value?: string;
} | {
  kind: "return";
  seq: number;
  ms: number;
  thread: string;
  call: number;
  parent?: number;
  function: string;
  path: string;
  line: number;
  changes: [string, string][];
  gone?: string[];
  value?: string;
} | {
  kind: "throw";
  seq: number;
  ms: number;
  thread: string;
  call: number;
  parent?: number;
  function: string;
  path: string;
  line: number;
  changes: [string, string][];
  gone?: string[];
  value?: string;
};

export interface TraceHead {
  version: 1;
  id: string;
  title: string;
  /** what runs it again */
  ran?: {
    pid: number;
  } | {
    command: string[];
    build?: boolean;
  };
  cwd: string;
  began: string;
  seconds: number;
  plan: {
    points: {
      key: string;
      path: string;
      line: number;
      expressions: string[];
      condition?: string;
    }[];
    lines?: {
      functions: string[];
      under: string[];
      packages?: string[];
      depth: number;
    };
    calls?: {
      under: string[];
    };
    frames: number;
    valueChars: number;
    maxHits: number;
    hits?: number;
  };
  adapter: string;
  collector: string;
  bindings: ({
    state: "bound";
    line: number;
  } | {
    state: "unbound";
    reason: string;
    nearest?: number[];
  } | {
    state: "unknown";
  })[];
  counts: number[];
  statistics?: {
    first: string;
    last: string;
    changes: number;
    unavailable: number;
    min?: {
      value: string;
      hit: number;
    };
    max?: {
      value: string;
      hit: number;
    };
  }[][];
  /** of a trace that counts calls: your functions that ran, most time first */
  calls?: {
    function: string;
    path: string;
    line: number;
    count: number;
    /** in itself, and in what it calls outside your code */
    ownMs: number;
    /** with the functions that it calls */
    wholeMs: number;
    callers: {
      function?: string;
      path?: string;
      line?: number;
      count: number;
    }[];
  }[];
  seen: number;
  dropped: number;
  end: RunEnd;
  partial?: string;
  /** why faster ways to record were not taken */
  passedOver?: string[];
  notes: string[];
}

export interface RunEnd {
  how: "exited" | "stopped" | "left" | "failed";
  exitCode?: number;
  signal?: string;
  why?: string;
}

export interface RuntimeFeedback {
  watchpoints: Record<string, {
    var: string;
    value: string;
  }[]>;
  breakpoints: Record<string, string[]>;
}

export interface AdapterRow {
  name: string;
  title: string;
  languages: string[];
  fileTypes: string[];
  found: boolean;
  mark: "tested" | "experimental";
  version?: string;
  path?: string;
  notes?: string[];
  why?: string;
  install?: string;
  trial?: {
    ok: boolean;
    text: string;
  };
}

export interface SetupRow {
  name: string;
  status: "present" | "installed" | "failed";
  version?: string;
  path?: string;
  how?: string;
  ms: number;
  verified: "session" | "initialize" | "no";
  saw?: string;
  reasons: string[];
  byHand?: string;
}

export interface Check {
  what: string;
  state: "ok" | "note" | "bad";
  text: string;
  fix?: string;
}

export interface LanguageRow {
  language: string;
  tools: string[];
  adapter?: string;
  install?: string;
  installable?: boolean;
}

export interface ProbeResult {
  found: MoveResult;
  wanted: number;
  hit: number;
  ended?: Ending;
  places: BreakpointRow[];
  conditionFailed?: true;
  ran?: string;
  again: string;
}

export interface TraceResult {
  trace: TraceHead;
  file: string;
  hits: TraceHit[];
  /** the command that `run` gave */
  triggered?: {
    command: string;
    exitCode?: number;
    signal?: string;
    /** it still ran when the recording ended, and was ended */
    unfinished?: true;
    /** what it printed last on stdout */
    lines: string[];
    /** what it printed last on stderr */
    errors?: string[];
  };
  output?: OutputTail;
  feedback?: RuntimeFeedback;
  written?: {
    file: string;
    bytes: number;
    format: "json" | "jsonl" | "csv" | "feedback";
  };
  outputFile?: string;
  /** lines of a test runner's own that `output` leaves out: the file has them */
  runnerLines?: number;
  /** the text is one timeline over threads, processes and places */
  timeline?: boolean;
  all?: boolean;
  /** a command that leads on: into functions that the recorded calls made, or through the function that the place stands in */
  next?: string;
  outOf?: number;
}

export interface DiffResult {
  a: {
    id: string;
    title: string;
    cwd: string;
    collector: string;
    seen: number;
    dropped: number;
    partial?: string;
    end: RunEnd;
    output: string;
  };
  b: {
    id: string;
    title: string;
    cwd: string;
    collector: string;
    seen: number;
    dropped: number;
    partial?: string;
    end: RunEnd;
    output: string;
  };
  unlike?: string;
  before: number;
  matching: number;
  partly?: number;
  compared?: number;
  first?: {
    kind: "values" | "path";
    a?: {
      path: string;
      line: number;
      function: string;
      kind: string;
      ran?: number;
      site: {
        path: string;
        line: number;
        function: string;
      };
      text?: string;
      given?: [string, string][];
      seq: number;
    };
    b?: {
      path: string;
      line: number;
      function: string;
      kind: string;
      ran?: number;
      site: {
        path: string;
        line: number;
        function: string;
      };
      text?: string;
      given?: [string, string][];
      seq: number;
    };
    extra?: {
      side: "a" | "b";
      count: number;
    };
    differing: {
      name: string;
      a?: string;
      b?: string;
    }[];
    equal: {
      name: string;
      value: string;
    }[];
  };
  call?: {
    a: {
      function: string;
      site: {
        path: string;
        line: number;
        function: string;
      };
      given: [string, string][];
      how?: string;
      value?: string;
    };
    b: {
      function: string;
      site: {
        path: string;
        line: number;
        function: string;
      };
      given: [string, string][];
      how?: string;
      value?: string;
    };
  };
  changed?: {
    a?: {
      path: string;
      line: number;
      texts: string[];
    };
    b?: {
      path: string;
      line: number;
      texts: string[];
    };
    ran: boolean;
    after?: true;
  }[];
  loading?: {
    count: number;
    place: string;
    what: string;
  };
  noise?: string[];
  endsDiffer?: true;
  unrecorded?: string;
  packages?: {
    name: string;
    a: {
      name: string;
      folder: string;
      version?: string;
    };
    b: {
      name: string;
      folder: string;
      version?: string;
    };
  }[];
  shows?: {
    path: string;
    line: number;
    what: string;
  };
  loadedOnly?: {
    a: string[];
    b: string[];
  };
  split?: {
    kind: "values" | "path";
    a?: {
      path: string;
      line: number;
      function: string;
      kind: string;
      ran?: number;
      site: {
        path: string;
        line: number;
        function: string;
      };
      text?: string;
      given?: [string, string][];
      seq: number;
    };
    b?: {
      path: string;
      line: number;
      function: string;
      kind: string;
      ran?: number;
      site: {
        path: string;
        line: number;
        function: string;
      };
      text?: string;
      given?: [string, string][];
      seq: number;
    };
    extra?: {
      side: "a" | "b";
      count: number;
    };
    differing: {
      name: string;
      a?: string;
      b?: string;
    }[];
    equal: {
      name: string;
      value: string;
    }[];
  };
  more: {
    place: string;
    what: string;
    count: number;
    a?: string;
    b?: string;
  }[];
  source: {
    a: {
      number: number;
      text: string;
    }[];
    b: {
      number: number;
      text: string;
    }[];
  };
  flaky?: {
    runs: number;
    passed: number;
    failed: number;
  };
  next?: string;
  notes: string[];
}

export interface CrashResult {
  crashed: boolean;
  native?: string;
  ended?: Ending;
  ranSecs?: number;
  core?: string;
  death?: Death;
  survived: {
    what: string;
    at: string;
  }[];
  output: OutputTail;
  notes: string[];
  /** the same as a session, which stops there by itself */
  again: string;
  /** the heap was damaged before it died: a command line of the shell that names the line that did it; flags: the compiler's */
  heap?: {
    tool: "valgrind" | "sanitizer" | "flags";
    command: string;
  };
  /** a trace that shows how it came about */
  next?: string;
}

export interface HangResult {
  verdict: "deadlock" | "waiting" | "idle" | "busy" | "stopped" | "ended";
  cycle: number[];
  exception?: {
    type?: string;
    message: string;
  };
  ended?: Ending;
  samples: number;
  overSecs: number;
  processor?: number;
  afterSecs?: number;
  pid?: number;
  left: boolean;
  groups: {
    threads: {
      id: number;
      name: string;
    }[];
    frames: FrameLine[];
    moreFrames: number;
    source?: string;
    moved: boolean;
    places: {
      function: string;
      path?: string;
      line: number;
      times: number;
    }[];
    within?: {
      function: string;
      path?: string;
    };
    values: ValueLine[];
    waits: WaitingThread[];
    refused?: string;
  }[];
  moreThreads: number;
  tasks: {
    name: string;
    thread: number;
    frames: {
      function: string;
      path: string;
      line: number;
    }[];
    source?: string;
    awaits?: string;
  }[];
  pending?: string;
  output: OutputTail;
  notes: string[];
  again: string;
}

export interface ConfigsResult {
  file: string;
  rows: {
    name: string;
    type: string;
    request: "launch" | "attach" | "compound";
    what?: string;
    preLaunchTask?: string;
    problem?: string;
  }[];
}

export interface DetachResult {
  session: string;
  pid?: number;
  halted?: number;
  /** the program ended together with its debugger */
  ended?: true;
}

export interface StopResult {
  ended: {
    session: string;
    attached: boolean;
    halted?: number;
  }[];
}

export interface StatusResult {
  daemon: {
    pid: number;
    version: string;
    uptimeSecs: number;
    memoryMb: number;
  };
  sessions: {
    name: string;
    state: string;
    ending?: string;
    adapter: string;
    kind: "launch" | "attach";
    program: string;
    pid?: number;
    cwd: string;
    breakpoints: number;
    children: number;
    agent?: string;
    owner: {
      who: "agent" | "person";
      /** milliseconds since 1970 */
      since: number;
      /** the agent wants it back */
      asked?: {
        at: number;
        why?: string;
      };
    };
    /** milliseconds since 1970 */
    startedAt: number;
    /** for the page: which session of this name it is */
    launch?: string;
    /** where it stands, while it is stopped */
    stop?: {
      /** how often it has stopped */
      number: number;
      at: number;
      reason: string;
      path?: string;
      line?: number;
      function?: string;
    };
    halted?: number[];
    notes?: string[];
  }[];
}

export interface SessionsResult {
  sessions: {
    name: string;
    state: string;
    ending?: string;
    adapter: string;
    kind: "launch" | "attach";
    program: string;
    pid?: number;
    cwd: string;
    breakpoints: number;
    children: number;
    agent?: string;
    owner: {
      who: "agent" | "person";
      /** milliseconds since 1970 */
      since: number;
      /** the agent wants it back */
      asked?: {
        at: number;
        why?: string;
      };
    };
    /** milliseconds since 1970 */
    startedAt: number;
    /** for the page: which session of this name it is */
    launch?: string;
    /** where it stands, while it is stopped */
    stop?: {
      /** how often it has stopped */
      number: number;
      at: number;
      reason: string;
      path?: string;
      line?: number;
      function?: string;
    };
    halted?: number[];
    notes?: string[];
  }[];
}

export interface ChangesResult {
  /** what --since takes next time */
  seq: number;
  /** some changes were lost: read everything again */
  lost: boolean;
  changes: {
    seq: number;
    /** milliseconds since 1970 */
    at: number;
    kind: "added" | "removed" | "running" | "stopped" | "ended" | "breakpoints" | "output" | "notes" | "owner" | "transcript";
    session: string;
    /** of its output */
    cursor?: number;
  }[];
}

export interface HandoverAskResult {
  session: string;
  owner: {
    who: "agent" | "person";
    /** milliseconds since 1970 */
    since: number;
    /** the agent wants it back */
    asked?: {
      at: number;
      why?: string;
    };
  };
  given: boolean;
  /** no person had it */
  already?: true;
  /** what no answer has said yet: what changed meanwhile */
  notes: string[];
  next?: string;
}

export interface HandoverGiveResult {
  session: string;
  owner: {
    who: "agent" | "person";
    /** milliseconds since 1970 */
    since: number;
    /** the agent wants it back */
    asked?: {
      at: number;
      why?: string;
    };
  };
  /** what changed while a person had it */
  note?: string;
}

export interface TranscriptResult {
  session: string;
  /** for the page: which session of this name it is */
  launch?: string;
  owner: {
    who: "agent" | "person";
    /** milliseconds since 1970 */
    since: number;
    /** the agent wants it back */
    asked?: {
      at: number;
      why?: string;
    };
  };
  entries: {
    number: number;
    /** milliseconds since 1970 */
    at: number;
    by: "cli" | "mcp" | "library" | "page";
    command: string;
    effect: "reads" | "moves" | "changes";
    line: string;
    ok: boolean;
    code?: string;
    /** the agent's run that it came from */
    agent?: string;
    /** the tool call of that run */
    toolId?: string;
  }[];
  earlier: number;
}

export interface BreakpointAddResult {
  breakpoints: BreakpointRow[];
}

export interface BreakpointRemoveResult {
  breakpoints: BreakpointRow[];
  removed: {
    id: number;
    kind: "line" | "function" | "instruction" | "data";
    at: string;
  }[];
}

export interface CatchResult {
  catches: {
    id: number;
    name: string;
    filters: string[];
    condition?: string;
  }[];
  available: {
    filter: string;
    label: string;
  }[];
}

export interface WatchResult {
  watches: BreakpointRow[];
}

export interface WatchInfoResult {
  expression: string;
  dataId: string;
  frame?: number;
  accesses?: ("write" | "read" | "readWrite")[];
  local: boolean;
  watch?: number;
}

export interface WatchRemoveResult {
  watches: BreakpointRow[];
  removed: {
    id: number;
    kind: "line" | "function" | "instruction" | "data";
    at: string;
  }[];
}

export interface WhyResult {
  session: string;
  stop: {
    number: number;
    at: number;
    reason: string;
    description?: string;
  };
  frame?: FrameLine;
  breakpoints: {
    id: number;
    kind: string;
    at: string;
    /** how often it has been hit, this time included */
    hit: number;
    condition?: string;
    hitCondition?: string;
    /** what the names in its condition stand for, here */
    values: {
      name: string;
      value?: string;
      error?: string;
    }[];
    /** the command that set it */
    setBy?: {
      number: number;
      /** milliseconds since 1970 */
      at: number;
      by: "cli" | "mcp" | "library" | "page";
      command: string;
      effect: "reads" | "moves" | "changes";
      line: string;
      ok: boolean;
      code?: string;
      /** the agent's run that it came from */
      agent?: string;
      /** the tool call of that run */
      toolId?: string;
    };
    /** stops before at it */
    earlier: {
      stop: number;
      at: number;
      hit: number;
    }[];
  }[];
  /** the command that let it run up to here */
  movedBy?: {
    number: number;
    /** milliseconds since 1970 */
    at: number;
    by: "cli" | "mcp" | "library" | "page";
    command: string;
    effect: "reads" | "moves" | "changes";
    line: string;
    ok: boolean;
    code?: string;
    /** the agent's run that it came from */
    agent?: string;
    /** the tool call of that run */
    toolId?: string;
  };
}

export interface SourceResult {
  path: string;
  current?: number;
  lines: SourceLine[];
  total: number;
  note?: string;
}

export interface BacktraceResult {
  frames: {
    index: number;
    function: string;
    path?: string;
    line: number;
    user: boolean;
    label?: true;
    values?: ValueLine[];
  }[];
  total: number;
  hidden: number;
  /** there are more than `total`: nobody has counted them */
  uncounted?: true;
}

export interface LocalsResult {
  scopes: {
    name: string;
    handle: string;
    expensive: boolean;
    kind?: string;
    values: ValueLine[];
  }[];
}

export interface ArgsResult {
  values: ValueLine[];
  more: number;
  /** with the locals among them */
  mixed: boolean;
}

export interface ScopesResult {
  scopes: {
    name: string;
    handle: string;
    expensive: boolean;
    kind?: string;
    count: number;
  }[];
}

export interface VariablesResult {
  values: ValueLine[];
  more: number;
  /** where the rest begins */
  next?: number;
  total: number;
}

export interface ThreadsResult {
  threads: {
    number: number;
    name: string;
    pid?: number;
    state: string;
    current: boolean;
    path?: string;
    line?: number;
    function?: string;
  }[];
}

export interface MemoryReadResult {
  address: string;
  hex: string;
  unreadable: number;
  /** the bytes, in base64 */
  data: string;
  format: "hex" | "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64" | "text";
}

export interface MemoryWriteResult {
  written: number;
  address: string;
  hex: string;
  unreadable: number;
}

export interface RegistersResult {
  registers: {
    name: string;
    value: string;
    group?: string;
  }[];
  more: {
    group: string;
    count: number;
  }[];
}

export interface DisassembleResult {
  pc?: string;
  instructions: {
    address: string;
    text: string;
    bytes?: string;
    symbol?: string;
    path?: string;
    line?: number;
    source?: string;
  }[];
  /** the function goes on behind these */
  goesOn?: boolean;
  withSource: boolean;
}

export interface OutputResult {
  lines: OutputLine[];
  earlierLines: number;
  laterLines: number;
  cursor: number;
  /** for the page: which session of this name it is */
  launch?: string;
  droppedBytes: number;
  /** why there are no lines */
  nothing?: string;
  /** what Sonde or the debugger has to say; the program has not printed it */
  notes: string[];
}

export interface InputResult {
  bytes: number;
  eof: boolean;
  /** the program has not taken all of it yet */
  unread: boolean;
}

export interface SourcesResult {
  sources: string[];
  total: number;
}

export interface ModulesResult {
  modules: {
    name: string;
    path?: string;
    version?: string;
  }[];
  start: number;
  total: number;
}

export interface RawResult {
  output: string;
}

export interface RequestResult {
  body: unknown;
}

export interface CapabilitiesResult {
  adapter: string;
  capabilities: Record<string, unknown>;
}

export interface CompleteResult {
  names: string[];
}

export interface ReloadResult {
  path: string;
  status: string;
}

export interface TraceListResult {
  traces: {
    head: TraceHead;
    file: string;
    bytes: number;
  }[];
  /** their files were cut short or changed, or are of a newer version */
  damaged: {
    id: string;
    file: string;
    bytes: number;
    why: string;
  }[];
}

export interface TraceColumnsResult {
  head: TraceHead;
  /** by place: hits in the file */
  kept: number[];
  point: number;
  from: number;
  to: number;
  buckets?: {
    /** number of the first hit in each */
    from: number[];
    to: number[];
    /** by expression */
    columns: {
      /** by bucket; null where no value is a number */
      min: (number | null)[];
      max: (number | null)[];
      /** by bucket: which of `texts`; -1 several, -2 another one; null where all are numbers */
      text: (number | null)[];
      texts: string[];
    }[];
  };
  rows?: TraceHit[];
  /** how many hits the condition holds for */
  found?: number;
}

export interface TraceRmResult {
  removed: number;
  would?: number;
  next: string[];
}

export interface TestResult {
  /** none: any program */
  runner?: string;
  command: string;
  /** of the command, as they were given */
  words: string[];
  state: "failed" | "passed";
  /** seconds after which the run was cut off: the counts are of the tests that had ended by then */
  cutAfter?: number;
  counts?: {
    failed: number;
    passed: number;
    skipped: number;
  };
  test?: {
    name: string;
    type?: string;
    message?: string;
    compared: {
      label: string;
      value: string;
    }[];
  };
  stop?: FailureShot;
  /** where the wrong value came from */
  origin?: {
    /** functions that returned the value, the outermost first; the line is the one that returned */
    calls: {
      function: string;
      path: string;
      line: number;
      source: string;
      value: string;
    }[];
    /** lines that wrote the field it was read from, the last first */
    writes: {
      name: string;
      function: string;
      path: string;
      line: number;
      source: string;
      times: number;
    }[];
    /** lines that ran and that the failing line depends on: they wrote what it reads, returned it, or decided that it is reached; the nearest first */
    lines: {
      function: string;
      path: string;
      line: number;
      source: string;
      /** how often it ran in the test, as far as that was kept */
      times: number;
      /** that it wrote */
      changes: {
        name: string;
        value: string;
      }[];
      /** what its call returned there */
      returned?: string;
    }[];
    /** code that has the expected value and did not run, with the condition that ran and decided it */
    unmet: {
      function: string;
      path: string;
      line: number;
      source: string;
      value: string;
      decided: {
        line: number;
        source: string;
      };
    }[];
    /** not all that ran was kept: each line ran at least so many times */
    incomplete?: true;
  };
  /** asked for the lines beyond the nearest ones */
  further?: true;
  /** a command that shows how the failing line got its value */
  next?: string;
  /** how the runner ended, undebugged where it has a report */
  status?: {
    exitCode?: number;
    signal?: string;
  };
  /** other tests that fail */
  others: string[];
  moreOthers: number;
  /** the end of what was printed, where there was no stop to show it at */
  output: string[];
  notes: string[];
}

export interface AdaptersResult {
  adapters: AdapterRow[];
}

export interface SetupResult {
  adapters: SetupRow[];
}

export interface DoctorResult {
  checks: Check[];
  languages: LanguageRow[];
  adapters: AdapterRow[];
  ok: boolean;
}

export interface ConfigResult {
  file: string;
  exists: boolean;
  settings: {
    key: string;
    value: unknown;
    isDefault: boolean;
  }[];
}

export type AgentRunResult = Record<string, never>;

export interface AgentSessionsResult {
  sessions: {
    id: string;
    name?: string;
    alive: boolean;
    /** running, what is held, or how it ended */
    state: string;
    /** calls that are held */
    held: number;
    /** what is run */
    what: string;
    client?: string;
    /** whether it holds the bridge itself or is run behind the proxy */
    route: "library" | "proxy";
    pid: number;
    startTime: string;
    endTime?: string;
    cwd: string;
  }[];
  ended: number;
  /** how many older ones are not listed */
  more: number;
  next: string[];
}

export interface AgentWaitResult {
  session: string;
  state: "running" | "pausing" | "held" | "ended" | "unknown";
  ended?: string;
  held: {
    id: string;
    reason: string;
    at: string;
    agent: {
      id: string;
      parent?: string;
      name?: string;
    };
    turn?: number;
    iteration?: number;
    totalIterations?: number;
    breakpoint?: number;
    hits?: number;
    why: string;
    tool?: {
      id: string;
      name: string;
      input: unknown;
      /** input as JSON text, where it has numbers that a value cannot hold */
      exact?: string;
    };
    req?: number;
    since?: string;
    deadline?: {
      at: string;
      outcome: string;
    };
    actions: string[];
    orphaned?: boolean;
    price?: {
      /** tokens that the provider keeps */
      cachedTokens: number;
      /** until then at least */
      until: string;
      /** what the next call costs more after that, estimated */
      dollars?: number;
    };
    sends?: {
      model?: string;
      messages: number;
      recent: {
        role: string;
        preview: string;
      }[];
      changes?: {
        injected: {
          role: string;
        }[];
        set: Record<string, unknown>;
        replaced: boolean;
      };
    };
  }[];
  /** what to do next */
  next: string[];
}

export interface AgentStatusResult {
  /** left out where several runs are alive */
  session?: string;
  state: "running" | "pausing" | "held" | "ended" | "unknown" | "several";
  ended?: string;
  held: {
    id: string;
    reason: string;
    at: string;
    agent: {
      id: string;
      parent?: string;
      name?: string;
    };
    turn?: number;
    iteration?: number;
    totalIterations?: number;
    breakpoint?: number;
    hits?: number;
    why: string;
    tool?: {
      id: string;
      name: string;
      input: unknown;
      /** input as JSON text, where it has numbers that a value cannot hold */
      exact?: string;
    };
    req?: number;
    since?: string;
    deadline?: {
      at: string;
      outcome: string;
    };
    actions: string[];
    orphaned?: boolean;
    price?: {
      /** tokens that the provider keeps */
      cachedTokens: number;
      /** until then at least */
      until: string;
      /** what the next call costs more after that, estimated */
      dollars?: number;
    };
    sends?: {
      model?: string;
      messages: number;
      recent: {
        role: string;
        preview: string;
      }[];
      changes?: {
        injected: {
          role: string;
        }[];
        set: Record<string, unknown>;
        replaced: boolean;
      };
    };
  }[];
  /** those that are alive, where there are several */
  runs?: {
    session: string;
    /** what `-s` takes for it */
    short: string;
    what: string;
    cwd: string;
    /** running, or what is held */
    state: string;
  }[];
  /** the last event, in a line */
  last?: string;
  /** what to do next */
  next: string[];
}

export interface AgentBreakAddResult {
  breakpoint: {
    id: number | string;
    about: string;
    enabled: boolean;
    hits: number;
    /** it is only recorded, never held */
    log: boolean;
  };
  warnings: string[];
  /** with `wait`: what is held */
  state?: {
    session: string;
    state: "running" | "pausing" | "held" | "ended" | "unknown";
    ended?: string;
    held: {
      id: string;
      reason: string;
      at: string;
      agent: {
        id: string;
        parent?: string;
        name?: string;
      };
      turn?: number;
      iteration?: number;
      totalIterations?: number;
      breakpoint?: number;
      hits?: number;
      why: string;
      tool?: {
        id: string;
        name: string;
        input: unknown;
        /** input as JSON text, where it has numbers that a value cannot hold */
        exact?: string;
      };
      req?: number;
      since?: string;
      deadline?: {
        at: string;
        outcome: string;
      };
      actions: string[];
      orphaned?: boolean;
      price?: {
        /** tokens that the provider keeps */
        cachedTokens: number;
        /** until then at least */
        until: string;
        /** what the next call costs more after that, estimated */
        dollars?: number;
      };
      sends?: {
        model?: string;
        messages: number;
        recent: {
          role: string;
          preview: string;
        }[];
        changes?: {
          injected: {
            role: string;
          }[];
          set: Record<string, unknown>;
          replaced: boolean;
        };
      };
    }[];
  };
  next: string[];
}

export interface AgentBreakListResult {
  session: string;
  breakpoints: {
    id: number | string;
    about: string;
    enabled: boolean;
    hits: number;
    /** it is only recorded, never held */
    log: boolean;
  }[];
}

export interface AgentBreakClearResult {
  session: string;
  did: string;
}

export interface AgentEditResult {
  session: string;
  state: "running" | "pausing" | "held" | "ended" | "unknown";
  ended?: string;
  held: {
    id: string;
    reason: string;
    at: string;
    agent: {
      id: string;
      parent?: string;
      name?: string;
    };
    turn?: number;
    iteration?: number;
    totalIterations?: number;
    breakpoint?: number;
    hits?: number;
    why: string;
    tool?: {
      id: string;
      name: string;
      input: unknown;
      /** input as JSON text, where it has numbers that a value cannot hold */
      exact?: string;
    };
    req?: number;
    since?: string;
    deadline?: {
      at: string;
      outcome: string;
    };
    actions: string[];
    orphaned?: boolean;
    price?: {
      /** tokens that the provider keeps */
      cachedTokens: number;
      /** until then at least */
      until: string;
      /** what the next call costs more after that, estimated */
      dollars?: number;
    };
    sends?: {
      model?: string;
      messages: number;
      recent: {
        role: string;
        preview: string;
      }[];
      changes?: {
        injected: {
          role: string;
        }[];
        set: Record<string, unknown>;
        replaced: boolean;
      };
    };
  }[];
  /** what was done, in words */
  did: string;
  /** what to do next */
  next: string[];
}

/** the parts that were asked for */
export interface AgentInspectResult {
  session: string;
  next: string[];
}

export interface AgentWatchResult {
  session: string;
  /** how many were shown */
  events: number;
  /** how many were left out */
  other: number;
  /** how the run ended, if it is over */
  ended?: string;
}

/** all that is known of the run */
export interface AgentExplainResult {
  session: string;
}

export interface AgentTranscriptResult {
  session: string;
  text: string;
  /** characters before it that were left out */
  left: number;
  next: string[];
}

export interface AgentReplayResult {
  session: string;
  events: number;
  /** false if it was interrupted */
  complete: boolean;
  /** with `last`: the events, a line each */
  lines: string[];
}

export interface AgentEventsResult {
  session: string;
  alive: boolean;
  events: number;
  columns?: {
    /** milliseconds since 1970 at which `at` is 0 */
    began: number;
    names: {
      types: string[];
      agents: string[];
      tools: string[];
    };
    seq: number[];
    /** milliseconds since the session began */
    at: number[];
    /** into names.types */
    type: number[];
    /** into names.agents */
    agent: number[];
    /** into names.tools, counted from 1; 0: none */
    tool: number[];
    /** the call to the model it belongs to; 0: none */
    req: number[];
    /** the same for all events of one tool call; 0: none */
    call: number[];
    /** how long it took, or was held; -1: not known */
    ms: number[];
    /** the numbers of events that say that something failed */
    failed: number[];
    /** events that something is held, or let go, and which hold that is */
    holds: {
      seq: number[];
      stop: string[];
    };
    spent: {
      seq: number[];
      input: number[];
      cacheRead: number[];
      cacheWritten: number[];
      output: number[];
      /** an estimate; -1: no price is known */
      dollars: number[];
    };
    repeats: {
      tool: string;
      agent: string;
      input: string;
      seq: number[];
      count: number;
    }[];
    debugged: {
      seq: number;
      call: number;
      argv: string;
      session?: string;
      trace?: string;
      profile?: string;
    }[];
  };
  words?: {
    seq: number;
    text: string;
  }[];
  next: string[];
}

export interface AgentEventResult {
  session: string;
  event: {
    type: string;
    timestamp: string;
  };
  /** characters of long texts that were left out */
  cut: number;
}

export interface AgentTimelineResult {
  session: string;
  traces: {
    id: string;
    title: string;
    /** the event of the command that made it; left out: nobody in the run did */
    seq?: number;
    /** milliseconds since the run began */
    from: number;
    to: number;
    /** that were kept */
    hits: number;
    /** hits in each part of its time, from `from` to `to` */
    counts: number[];
  }[];
  profiles: {
    id: string;
    title: string;
    /** the event of the command that made it; left out: nobody in the run did */
    seq?: number;
    /** milliseconds since the run began */
    from: number;
    to: number;
    kind: "cpu" | "heap";
    /** in which something ran */
    samples?: number;
    /** 0 to 1: how busy it was in each part of its time; left out: the profiler does not know */
    busy?: number[];
  }[];
  /** traces without a hit */
  empty: string[];
  /** those that were removed since, or cannot be read */
  gone: string[];
  /** earlier ones that were left out: the last 40 are read */
  left: number;
}

export interface AgentSseResult {
  session: string;
  entries: {
    /** its number among all that were seen */
    n: number;
    /** the call to the model */
    req: number;
    event?: string;
    data: string;
    /** characters that were cut off */
    cut?: number;
  }[];
  seen: {
    events: number;
    characters: number;
  };
  kept: {
    events: number;
    characters: number;
    truncated: number;
  };
  /** events that came while it was followed */
  followed?: number;
}

export interface AgentExportResult {
  session: string;
  traceId?: string;
  spans: number;
  /** how many the collector did not take */
  rejected: number;
  warning?: string;
}

export interface AgentGcResult {
  removed: {
    id: string;
    bytes: number;
    startTime: string;
    endTime?: string;
    why: "age" | "size";
  }[];
  bytes: number;
  kept: {
    sessions: number;
    alive: number;
    bytes: number;
  };
  /** whether they were removed */
  done: boolean;
  next: string[];
}

export interface LogsResult {
  entries: {
    time?: string;
    level: "debug" | "info" | "warn" | "error";
    pid?: number;
    /** of the process: daemon, mcp, agent run; printed: what one printed when it died */
    kind: string;
    session?: string;
    message: string;
  }[];
  protocol?: {
    session: string;
    messages: {
      number: number;
      time: string;
      /** in: from the adapter */
      direction: "in" | "out";
      /** JSON, or its beginning */
      text: string;
      /** the message is longer */
      cut: boolean;
    }[];
    /** messages so far */
    total: number;
    /** of those, how many are no longer kept */
    dropped: number;
  };
  /** of what is older, if there is more */
  cursor?: string;
  /** lines that were too long to be read */
  tooLong: number;
  /** entries that came while it was followed */
  followed?: number;
  nothing?: string;
  next: string[];
}

export interface SystemResult {
  os: string;
  distribution?: string;
  arch: string;
  /** unknown where the system does not say */
  cpu: string;
  cores: number;
  memory: {
    totalBytes: number;
    freeBytes: number;
  };
  sonde: string;
  build: string;
  /** which the daemon runs on */
  node: string;
  /** if it is another */
  nodeOnPath?: {
    path: string;
    version: string;
  };
  adapters: {
    name: string;
    found: boolean;
    version?: string;
    path?: string;
  }[];
  cwd: string;
  shell: string;
  terminal: string;
  limits: {
    openFiles?: number | "unlimited";
    ptraceScope?: number;
    perfEventParanoid?: number;
  };
  environment: {
    shown: Record<string, string>;
    /** names of the others: their values are never shown */
    hidden: string[];
  };
}

export interface ReportResult {
  /** where it is, or would be */
  file: string;
  written: boolean;
  /** of the file, if it was written */
  bytes?: number;
  parts: {
    name: string;
    kind: "text" | "binary";
    bytes: number;
    sha256: string;
    /** what was taken out of it, by kind */
    removed: Record<string, number>;
    leftOut?: string;
  }[];
  missing: {
    name: string;
    why: string;
  }[];
  removed: Record<string, number>;
  warnings: string[];
  next: string[];
}

export interface ProfileCpuResult {
  id: string;
  kind: "cpu" | "heap";
  title: string;
  seconds: number;
  /** by what it was taken */
  means: string;
  /** between two samples: ns, or bytes */
  period: number;
  unit: "ns" | "bytes" | "samples";
  samples: number;
  idleSamples: number;
  /** in all: ns, or bytes */
  busy: number;
  idle: number;
  /** why it ended */
  end: {
    /** the time was over, it was ended early, or the program ended first */
    how: "time" | "early" | "program";
    exitCode?: number;
    signal?: string;
  };
  /** the 30 functions with the most of their own */
  top: {
    name: string;
    file?: string;
    line?: number;
    /** what it is besides a function of the program: native, kernel, garbage collection */
    mark?: string;
    /** in the function itself: ns, or bytes */
    self: number;
    /** of all that is not idle, 0 to 1 */
    selfShare: number;
    /** with what it called */
    total: number;
    totalShare: number;
  }[];
  /** how many were seen in all */
  functions: number;
  folder: string;
  files: {
    kind: "cpuprofile" | "heapprofile" | "heapsnapshot" | "speedscope" | "folded" | "pprof" | "svg" | "perf";
    path: string;
  }[];
  notes: string[];
  /** what the program printed last, if it failed */
  output?: OutputTail;
}

export interface ProfileDiffResult {
  per: "run" | "second";
  unit: "ns" | "bytes" | "samples";
  a: {
    title: string;
    busy: number;
    samples: number;
  };
  b: {
    title: string;
    busy: number;
    samples: number;
  };
  /** what takes more in b, the most first */
  slower: {
    name: string;
    file?: string;
    line?: number;
    /** left out: it is new */
    a?: {
      /** in the function itself, a run or a second: ns, or bytes */
      self: number;
      selfShare: number;
      total: number;
      totalShare: number;
      samples: number;
    };
    /** left out: it is gone */
    b?: {
      /** in the function itself, a run or a second: ns, or bytes */
      self: number;
      selfShare: number;
      total: number;
      totalShare: number;
      samples: number;
    };
    delta: number;
    deltaShare: number;
    /** twice the standard error of delta, by the number of samples */
    error: number;
  }[];
  /** what takes less in b */
  faster: {
    name: string;
    file?: string;
    line?: number;
    /** left out: it is new */
    a?: {
      /** in the function itself, a run or a second: ns, or bytes */
      self: number;
      selfShare: number;
      total: number;
      totalShare: number;
      samples: number;
    };
    /** left out: it is gone */
    b?: {
      /** in the function itself, a run or a second: ns, or bytes */
      self: number;
      selfShare: number;
      total: number;
      totalShare: number;
      samples: number;
    };
    delta: number;
    deltaShare: number;
    /** twice the standard error of delta, by the number of samples */
    error: number;
  }[];
  moreSlower: number;
  moreFaster: number;
  /** functions that differ by less than sampling can tell */
  unsure: number;
}

export interface ProfileListResult {
  profiles: {
    id: string;
    kind: "cpu" | "heap";
    title: string;
    began: string;
    seconds: number;
    /** of its files */
    bytes: number;
  }[];
}

export interface ProfileStacksResult {
  id: string;
  unit: "ns" | "bytes" | "samples";
  /** whether the order of time is known */
  hasTime: boolean;
  frames: {
    name: string;
    file?: string;
    line?: number;
    kind?: string;
  }[];
  /** by node: the one that calls it, -1 for the outermost */
  parent: number[];
  /** by node: which of `frames` */
  frame: number[];
  /** by node: in itself, ns or bytes */
  self: number[];
  timeline?: {
    frames: {
      name: string;
      file?: string;
      line?: number;
      kind?: string;
    }[];
    /** by node: the one that calls it, -1 for the outermost */
    parent: number[];
    /** by node: which of `frames` */
    frame: number[];
    /** by node: in itself, ns or bytes */
    self: number[];
    /** one after the other; -1 while nothing ran */
    node: number[];
    weight: number[];
  };
}

export interface ClearCacheResult {
  count: number;
  bytes: number;
  oldest?: string;
  kinds: {
    kind: "trace" | "report" | "profile" | "run" | "log";
    count: number;
    bytes: number;
    oldest: string;
  }[];
  olderThan: string;
  removed: boolean;
  /** what could not be looked into, or not be removed */
  skipped: {
    path: string;
    why: string;
  }[];
  next: string[];
}

export type MenuResult = Record<string, never>;

/** By command: what it answers, as with `--json`. */
export interface CommandResults {
  start: MoveResult;
  attach: MoveResult;
  configs: ConfigsResult;
  detach: DetachResult;
  stop: StopResult;
  restart: MoveResult;
  await: MoveResult;
  status: StatusResult;
  sessions: SessionsResult;
  changes: ChangesResult;
  "handover ask": HandoverAskResult;
  "handover give": HandoverGiveResult;
  "handover take": HandoverGiveResult;
  transcript: TranscriptResult;
  "breakpoint add": BreakpointAddResult;
  "breakpoint list": BreakpointAddResult;
  "breakpoint remove": BreakpointRemoveResult;
  "breakpoint enable": BreakpointAddResult;
  "breakpoint disable": BreakpointAddResult;
  catch: CatchResult;
  "catch list": CatchResult;
  "catch remove": CatchResult;
  watch: WatchResult;
  "watch info": WatchInfoResult;
  "watch list": WatchResult;
  "watch remove": WatchRemoveResult;
  continue: MoveResult;
  next: MoveResult;
  step: MoveResult;
  finish: MoveResult;
  until: MoveResult;
  pause: MoveResult;
  "restart-frame": MoveResult;
  context: Snapshot;
  why: WhyResult;
  source: SourceResult;
  backtrace: BacktraceResult;
  frame: Snapshot;
  up: Snapshot;
  down: Snapshot;
  locals: LocalsResult;
  args: ArgsResult;
  scopes: ScopesResult;
  variables: VariablesResult;
  print: ValueLine;
  eval: ValueLine;
  set: ValueLine;
  threads: ThreadsResult;
  thread: Snapshot;
  "memory read": MemoryReadResult;
  "memory write": MemoryWriteResult;
  registers: RegistersResult;
  disassemble: DisassembleResult;
  output: OutputResult;
  input: InputResult;
  sources: SourcesResult;
  modules: ModulesResult;
  raw: RawResult;
  request: RequestResult;
  capabilities: CapabilitiesResult;
  complete: CompleteResult;
  reload: ReloadResult;
  probe: ProbeResult;
  trace: TraceResult;
  "trace list": TraceListResult;
  "trace show": TraceResult;
  "trace columns": TraceColumnsResult;
  "trace rm": TraceRmResult;
  diff: DiffResult;
  test: TestResult;
  crash: CrashResult;
  hang: HangResult;
  adapters: AdaptersResult;
  setup: SetupResult;
  doctor: DoctorResult;
  config: ConfigResult;
  "agent run": AgentRunResult;
  "agent sessions": AgentSessionsResult;
  "agent wait": AgentWaitResult;
  "agent status": AgentStatusResult;
  "agent break add": AgentBreakAddResult;
  "agent break list": AgentBreakListResult;
  "agent break clear": AgentBreakClearResult;
  "agent break clear-all": AgentBreakClearResult;
  "agent break enable": AgentBreakClearResult;
  "agent break disable": AgentBreakClearResult;
  "agent edit": AgentEditResult;
  "agent cancel": AgentEditResult;
  "agent resume": AgentEditResult;
  "agent pause": AgentEditResult;
  "agent step": AgentEditResult;
  "agent inspect": AgentInspectResult;
  "agent inject": AgentEditResult;
  "agent set": AgentEditResult;
  "agent edit-request": AgentEditResult;
  "agent kill-call": AgentEditResult;
  "agent checkpoint": AgentEditResult;
  "agent rewind": AgentEditResult;
  "agent attach": AgentRunResult;
  "agent watch": AgentWatchResult;
  "agent explain": AgentExplainResult;
  "agent transcript": AgentTranscriptResult;
  "agent replay": AgentReplayResult;
  "agent events": AgentEventsResult;
  "agent event": AgentEventResult;
  "agent timeline": AgentTimelineResult;
  "agent fork": AgentRunResult;
  "agent sse": AgentSseResult;
  "agent export": AgentExportResult;
  "agent gc": AgentGcResult;
  logs: LogsResult;
  system: SystemResult;
  report: ReportResult;
  "profile cpu": ProfileCpuResult;
  "profile heap": ProfileCpuResult;
  "profile work": ProfileCpuResult;
  "profile diff": ProfileDiffResult;
  "profile list": ProfileListResult;
  "profile show": ProfileCpuResult;
  "profile stacks": ProfileStacksResult;
  "clear-cache": ClearCacheResult;
  menu: MenuResult;
}
