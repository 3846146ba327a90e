/** Arguments back into words, to send the same command to the daemon. */

/** `{ olderThan: "30d", yes: true }` as `--older-than 30d --yes`. */
export function flagWords(args: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(args).flatMap(([key, value]) => {
    const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) return [];
    if (value === true) return [flag];
    return [value].flat().map((one) => `${flag}=${String(one)}`);
  });
}
