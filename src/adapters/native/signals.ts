/** Death by a signal, as a shell reports it. */
import { constants } from "node:os";

export interface Exit {
  exitCode: number;
  signal?: string;
}

export function killedBy(number: number): Exit {
  const name = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return { exitCode: 128 + number, signal: name ?? `signal ${number}` };
}

export function signalNumber(name: string): number | undefined {
  return constants.signals[name as NodeJS.Signals];
}
