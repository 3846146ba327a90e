/** All commands about profiles, in the order help shows them. */
import type { Command } from "../../define.ts";
import { profileDiff } from "./diff.ts";
import { profileList, profileShow } from "./list.ts";
import { profileCpu, profileHeap, profileWork } from "./profile.ts";
import { profileStacks } from "./stacks.ts";

export const PROFILE_COMMANDS: readonly Command[] = [
  profileCpu,
  profileHeap,
  profileWork,
  profileDiff,
  profileList,
  profileShow,
  profileStacks,
];
