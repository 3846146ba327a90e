/** What goroutines wait for: the runtime parks them in functions whose names tell. */
import type { Waits } from "../thread-waits.ts";

const MUTEX = {
  takes: /([\w.[\]*()]+)\.R?Lock\(\)/,
  // What is deferred has not happened yet.
  gives: /^(?!\s*defer\b).*?([\w.[\]*()]+)\.R?Unlock\(\)/,
  identity: (name: string) => `uintptr(&${name})`,
};

export const goWaits: Waits = {
  calls: [
    {
      call: /^sync\.\(\*Mutex\)\.Lock$/,
      what: "for a mutex",
      named: [/([\w.[\]]+)\.Lock\(\)/],
      inside: "uintptr(m)",
      ...MUTEX,
    },
    {
      call: /^sync\.\(\*RWMutex\)\.R?Lock$/,
      what: "for a read-write lock",
      named: [/([\w.[\]]+)\.R?Lock\(\)/],
      inside: "uintptr(rw)",
      ...MUTEX,
    },
    { call: /^sync\.\(\*WaitGroup\)\.Wait$/, what: "for a wait group", named: [/([\w.[\]]+)\.Wait\(\)/] },
    { call: /^sync\.\(\*Cond\)\.Wait$/, what: "for a condition", named: [/([\w.[\]]+)\.Wait\(\)/] },
    { call: /^sync\.\(\*Once\)\.(?:Do|doSlow)$/, what: "for a sync.Once", named: [/([\w.[\]]+)\.Do\(/] },
    {
      call: /^runtime\.chanrecv\d?$/,
      what: "to receive from a channel",
      named: [/<-\s*([\w.[\]]+)/, /\brange\s+([\w.[\]]+)/],
    },
    { call: /^runtime\.chansend\d?$/, what: "to send to a channel", named: [/([\w.[\]]+)\s*<-/] },
    { call: /^runtime\.selectgo$/, what: "in a select" },
    { call: /^runtime\.block$/, what: "forever: a select without cases" },
    { call: /^time\.Sleep$/, what: "for time to pass" },
    { call: /^os\/exec\.\(\*Cmd\)\.Wait$|^os\.\(\*Process\)\.[wW]ait/, what: "for a child process" },
    { call: /^net\.\(\*\w+\)\.[aA]ccept/, what: "for a connection" },
    { call: /^internal\/poll\.runtime_pollWait$/, what: "for something to read or write" },
    { call: /^syscall\.(?:Syscall6?|RawSyscall6?|read|write)$/, what: "in a call to the system" },
    { call: /^runtime\.semacquire|^sync\.runtime_Semacquire/, what: "for a semaphore" },
  ],
};
