/** Thrown with the reason why debug information cannot be used as it is. */
export class Unfit extends Error {}

/** A variable's place: `-20(%bp)`, registers with eight bytes of it each, or an address as linked. */
export type Base = { register: string; offset: number } | { registers: string[] } | { address: number };
