/** A plan for gdb's script: where its points are in the program, and what their names mean there. */
import { pointsOf } from "../../debugger-scripts/points.ts";
import { Unfit } from "../../dwarf/unfit.ts";
import { type Guide, guideFor, type ToldSpot, toldSpots } from "../../native/guide.ts";
import type { Plan } from "../../plan.ts";
import type { Binding } from "../../record.ts";

export interface GuidedPlan {
  points: (ReturnType<typeof pointsOf>[number] & { spots: ToldSpot[] })[];
  /** Where the file as a whole is to be loaded. */
  first: number;
  bindings: (Binding | undefined)[];
  notes: string[];
}

/** Or why gdb cannot be used. */
export function guidedPoints(program: string, plan: Plan): GuidedPlan | { unfit: string } {
  try {
    const guide = guideFor(program, plan);
    const unknown = guide.points.find((one) => one.unknown !== undefined)?.unknown;
    return unknown === undefined ? told(guide, plan) : { unfit: unknown };
  } catch (error) {
    if (error instanceof Unfit) return { unfit: error.message };
    throw error;
  }
}

function told(guide: Guide, plan: Plan): GuidedPlan {
  const spots = toldSpots(guide);
  const [first] = guide.code.elf.segments;
  return {
    points: pointsOf(plan).map((one, at) => ({ ...one, spots: spots[at] ?? [] })),
    bindings: guide.points.map(({ binding }) => binding),
    notes: guide.notes,
    first: first === undefined ? 0 : first.address - first.offset,
  };
}
