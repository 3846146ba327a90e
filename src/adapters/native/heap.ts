/** Deaths in the allocator: it found its own books written over, or something given back twice. Who did that is not on the stack. */

/** What glibc, musl, jemalloc and macOS say before they abort. */
const SAID =
  /\b(?:double free|free\(\): |malloc\(\): |realloc\(\): |calloc\(\): |munmap_chunk\(\): |corrupted (?:size|double-linked|unsorted|top)|malloc_consolidate\(\)|invalid (?:next )?size|malloc: \*\*\* error for object|heap corruption)/;
/** Functions in which it looks after its books. */
const KEEPS =
  /^(?:_int_(?:free|malloc|realloc|memalign)|malloc_(?:printerr|consolidate)|unlink_chunk|sysmalloc|tcache_\w+|_?_?(?:libc_)?(?:free|malloc|realloc|calloc)|cfree|munmap_chunk|operator (?:new|delete)(?:\[\])?)\b/;

/** @param above Functions of libraries between the death and the program's own code, from the inside. */
export function heapDamage(above: readonly string[], message: string): boolean {
  if (SAID.test(message)) return true;
  // A fault in the allocator itself: of an abort the reason would be said.
  return !/abort/i.test(message) && above.slice(0, 2).some((name) => KEEPS.test(name));
}
