/**
 * Inodes of the sockets that are the inspector's; undefined where the system does not tell. Throws the system's own error when the
 * process is gone.
 */
export function inspectorSockets(pid: number): Set<string> | undefined;

/** Of those that the process listens on, what its command line lets the inspector open at once. */
export function declaredSockets(
  pid: number,
  listening: readonly { port: number; inode: string }[],
): Set<string>;

/** On which its command line lets the process open its inspector; 0: on any. */
export function inspectorPort(pid: number): number;
