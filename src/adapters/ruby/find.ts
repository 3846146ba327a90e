/** The interpreter and its debug gem. */
import { join } from "node:path";
import { SondeError } from "../../errors.ts";
import type { Found, Where } from "../adapter.ts";
import { probe, toolOnPath } from "../kit/find.ts";

interface Gem {
  ruby: string;
  version: string;
  /** To be put on Ruby's load path: its library, and its compiled part. */
  paths: string[];
}

/** Prints the newest debug gem of this Ruby, or of our own folder (ARGV[0]); fails when there is none. */
const LOOK = `
require "json"
own = Dir[File.join(ARGV[0], "specifications", "debug-*.gemspec")].filter_map { |file| Gem::Specification.load(file) }
gem = (Gem::Specification.find_all_by_name("debug") + own).max_by(&:version) or exit 1
puts({ ruby: RUBY_VERSION, version: gem.version.to_s, paths: gem.full_require_paths }.to_json)
`;

export async function findRuby(where: Where): Promise<Found> {
  const ruby = toolOnPath(where.settings?.command ?? "ruby", where);
  if (ruby === undefined)
    return { ok: false, reason: `there is no ${where.settings?.command ?? "ruby"} on the PATH` };
  const gem = await look(ruby, where);
  if (gem === undefined) return { ok: false, reason: `${ruby} has no debug gem` };
  return { ok: true, version: gem.version, path: ruby, notes: [`Ruby ${gem.ruby}`] };
}

export async function gemOf(ruby: string, where: Where): Promise<Gem> {
  const gem = await look(ruby, where);
  if (gem === undefined) throw new SondeError("ADAPTER_FAILED", `${ruby} no longer has the debug gem`);
  return gem;
}

async function look(ruby: string, where: Where): Promise<Gem | undefined> {
  const said = await probe(ruby, ["-e", LOOK, join(where.adapters, "rdbg")], where.env);
  const line = said?.split("\n").find((one) => one.startsWith("{"));
  return line === undefined ? undefined : (JSON.parse(line) as Gem);
}
