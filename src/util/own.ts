/** What a table of ours says of somebody's word; `constructor` and the like are words too, and stand in no table. */
export function own<T>(table: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return table !== undefined && Object.hasOwn(table, key) ? table[key] : undefined;
}
