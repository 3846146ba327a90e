/** What native threads wait for, by the names of the C, C++ and Rust libraries. */
import type { Waits } from "../thread-waits.ts";

const ARGUMENT = String.raw`\s*\(\s*((?:[^()]|\([^()]*\))*?)\s*\)`;

/** glibc keeps the owner's thread number in the mutex. */
const ownerOf = (mutex: string) => `(${mutex})->__data.__owner`;

export const nativeWaits: Waits = {
  calls: [
    {
      call: /__gthread_mutex_lock|__gthread_recursive_mutex_lock/,
      what: "for a mutex",
      named: [
        /\b(?:lock_guard|unique_lock|scoped_lock)\b[^;]*?\b\w+\s*[({]\s*([^,(){}]+?)\s*[,)}]/,
        /([\w.:>-]+?)(?:\.|->)lock\(\)/,
      ],
      inside: "__mutex",
      owner: () => ownerOf("__mutex"),
      guard: /\b(?:lock_guard|unique_lock|scoped_lock)</,
    },
    {
      call: /(?<![a-z])pthread_mutex_(?:lock|timedlock|clocklock)$/,
      what: "for a mutex",
      named: [new RegExp(`pthread_mutex_(?:lock|timedlock|clocklock)${ARGUMENT}`)],
      identity: (mutex) => `(void *)(${mutex})`,
      owner: ownerOf,
      // For debuggers that number threads in their own way.
      takes: new RegExp(`pthread_mutex_(?:lock|timedlock|clocklock)${ARGUMENT}`),
      gives: new RegExp(`pthread_mutex_unlock${ARGUMENT}`),
    },
    {
      call: /\bstd::sync::(?:poison::)?mutex::Mutex<.*>::lock$/,
      what: "for a mutex",
      named: [/([\w.:]+?)\s*\.lock\(\)/],
      inside: "self",
      guard: /\bMutexGuard</,
      guarded: (guard) => `(void *)${guard}.lock`,
    },
    {
      call: /\bstd::sync::(?:poison::)?rwlock::RwLock<.*>::(?:read|write)$/,
      what: "for a read-write lock",
      named: [/([\w.:]+?)\s*\.(?:read|write)\(\)/],
      inside: "self",
      guard: /\bRwLock(?:Read|Write)Guard</,
    },
    {
      call: /(?<![a-z])pthread_rwlock_(?:\w*rdlock|\w*wrlock)$/,
      what: "for a read-write lock",
      named: [new RegExp(`pthread_rwlock_\\w+${ARGUMENT}`)],
    },
    {
      call: /(?<![a-z])pthread_cond_\w*wait$|std::(?:__1::)?condition_variable::wait|\bCondvar>?::wait/,
      what: "for a condition",
      named: [/pthread_cond_\w*wait\s*\(\s*([^,()]+)/, /([\w.:>-]+?)(?:\.|->)wait(?:_for|_until|_while)?\(/],
    },
    {
      call: /(?<![a-z])pthread_barrier_wait$|\bBarrier>?::wait$/,
      what: "at a barrier",
      named: [/([\w.:]+)\.wait\(\)/],
    },
    { call: /\bsem_(?:\w*wait)$/, what: "for a semaphore", named: [new RegExp(`sem_\\w*wait${ARGUMENT}`)] },
    {
      call: /(?<![a-z])pthread_(?:\w*join\w*)$|\bstd::thread::join$|\bJoinHandle<.*>::join$|\bthread::(?:scoped::)?scope/,
      what: "for a thread to end",
      named: [/pthread_\w*join\w*\s*\(\s*([^,()]+)/, /([\w.[\]:>-]+?)(?:\.|->)join\(\)/],
    },
    { call: /\bmpsc::Receiver<.*>::recv/, what: "to receive from a channel", named: [/([\w.]+)\.recv\w*\(/] },
    { call: /^(?:__GI_)?_*(?:clock_)?nanosleep\w*$|^(?:u|thrd_)?sleep$/, what: "for time to pass" },
    { call: /^(?:__GI_)?_*(?:wait4|waitpid|waitid|wait)$/, what: "for a child process" },
    { call: /^(?:__GI_)?_*(?:p?poll|p?select|epoll_p?wait)$/, what: "for something to read or write" },
    { call: /^(?:__GI_)?_*(?:read|readv|recv|recvfrom|recvmsg)$/, what: "for input" },
    { call: /^(?:__GI_)?_*(?:write|writev|send|sendto|sendmsg)$/, what: "for its output to be read" },
    { call: /^(?:__GI_)?_*accept4?$/, what: "for a connection" },
    { call: /^(?:__GI_)?_*connect$/, what: "to connect" },
    { call: /^(?:__GI_)?_*(?:fcntl|flock|lockf)\d*$/, what: "for a lock on a file" },
    { call: /futex_wait|__lll_lock_wait/, what: "for another thread" },
  ],
};
