/** What several looks at a thread tell about it. Pure. */
import type { Frame } from "../stack/frames.ts";
import { shownFrame, stackKey } from "./thread-stacks.ts";

export interface SeenAt {
  function: string;
  path?: string;
  line: number;
  times: number;
}

export interface Movement {
  moved: boolean;
  /** Where it was seen, most often first. */
  places: SeenAt[];
  /** The innermost function of the user's that it was in every time. */
  within?: { function: string; path?: string };
}

/** Looks at one thread, in order; a look at which it was not there counts as moved. */
export function movement(looks: readonly (readonly Frame[] | undefined)[]): Movement {
  const there = looks.filter((one) => one !== undefined);
  // Between two lines a debugger may have none to tell; that is no other place.
  const placed = there.filter((frames) => (shownFrame(frames)?.line ?? 1) > 0);
  const seen = placed.length > 0 ? placed : there;
  const keys = new Set(seen.map(stackKey));
  const within = common(seen);
  return {
    moved: keys.size > 1 || there.length < looks.length,
    places: places(seen),
    ...(within === undefined ? {} : { within }),
  };
}

function places(seen: readonly (readonly Frame[])[]): SeenAt[] {
  const all = new Map<string, SeenAt>();
  for (const frames of seen) {
    const frame = shownFrame(frames);
    if (!frame) continue;
    const path = frame.path ?? frame.sourceName;
    const key = `${frame.name}\0${path}\0${frame.line}`;
    const known = all.get(key);
    if (known) known.times++;
    else
      all.set(key, {
        function: frame.name,
        line: frame.line,
        times: 1,
        ...(path === undefined ? {} : { path }),
      });
  }
  return [...all.values()].sort((a, b) => b.times - a.times);
}

/** Outermost frames that were the same calls at every look; of the last of them the line may differ: that is where it moves. */
function common(seen: readonly (readonly Frame[])[]): Movement["within"] {
  const [first, ...others] = seen.map((frames) => frames.filter((frame) => !frame.label).reverse());
  if (!first) return undefined;
  let deepest: Frame | undefined;
  for (const [depth, frame] of first.entries()) {
    const same = others.every(
      (other) => other[depth]?.name === frame.name && other[depth]?.path === frame.path,
    );
    if (!same) break;
    if (frame.user) deepest = frame;
    if (!others.every((other) => other[depth]?.line === frame.line)) break;
  }
  if (!deepest) return undefined;
  const path = deepest.path ?? deepest.sourceName;
  return { function: deepest.name, ...(path === undefined ? {} : { path }) };
}
