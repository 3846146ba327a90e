import { advice, blank, call } from "../../advice/advice.ts";
import { ownFile } from "../../util/own-file.ts";
import { executableName } from "../../util/process-facts.ts";
import type { Adapter, Found, Where } from "../adapter.ts";
import { calling, fromTheStart } from "../kit/calling.ts";
import { probe, toolOnPath } from "../kit/find.ts";
import { debianPackages } from "../recipe.ts";
import { PerlConnection } from "./connection.ts";
import { PerlAdapter } from "./perl-adapter.ts";

const NO_MACHINE_CODE = {
  reason: "Perl shows neither machine code nor memory to a debugger",
  instead: advice`use ${call("source")}, ${call("step")} and ${call("print", { expression: blank("expression") })}`,
};

/** Found through its file: to load it would be to call a debugger. */
const LOOK = `
my ($file) = grep { -e } map { "$_/Perl/LanguageServer.pm" } @INC;
exit 1 unless $file && eval { require PadWalker; require JSON; require Hash::SafeKeys; require Data::Dump; 1 };
open my $source, "<", $file or exit 1;
my ($version) = join("", <$source>) =~ /VERSION\\s*=\\s*['"]([\\d._]+)/;
printf "%s %vd\\n", $version // "?", $^V;
`;

const perl = calling<PerlConnection>({
  language: "Perl",
  debugger: "its debugger",
  connect: (socket) => new PerlConnection(socket),
  serve: (send, call) => new PerlAdapter(send, call),
  environment,
  introduce: async (call) => {
    const { pid, name } = await call.introduction;
    return { id: String(pid), file: name };
  },
});

export const perlAdapter: Adapter = {
  name: "perl",
  title: "Perl::LanguageServer",
  listens: [
    {
      where: "127.0.0.1, a free port",
      holder: "sonde, as long as the session lives",
      stops:
        "it accepts a connection only from a process of the same user (as the kernel reports it) and closes any other",
    },
  ],
  languages: ["perl"],
  describes: [
    {
      name: "perl",
      title: "Perl",
      tools: ["perl"],
      sources: [".pl", ".pm", ".t", ".psgi"],
      interpreter: { name: /^perl[\d.]*$/, plain: /^-[wTtWX]+$/ },
    },
  ],
  configurations: [{ types: ["perl"] }],
  fileTypes: [".pl", ".t", ".psgi"],
  commands: ["perl", "prove"],
  catches: { uncaught: ["uncaught"], unhandled: ["uncaught"], all: ["all"], die: ["all"], throw: ["all"] },
  defaultCatches: ["uncaught"],
  unsupported: {
    supportsReadMemoryRequest: NO_MACHINE_CODE,
    supportsWriteMemoryRequest: NO_MACHINE_CODE,
    supportsDisassembleRequest: NO_MACHINE_CODE,
    supportsInstructionBreakpoints: NO_MACHINE_CODE,
    supportsSteppingGranularity: NO_MACHINE_CODE,
    supportsDataBreakpoints: {
      reason: "Perl's debugger cannot detect assignments",
      instead: advice`put ${call("breakpoint add", { location: blank("file:line"), log: "{$name}" })} on the lines that assign it`,
    },
    supportsRestartFrame: {
      reason: "Perl cannot enter a sub again",
      instead: advice`start again with a breakpoint at its beginning: ${call("restart")}`,
    },
    supportsGotoTargetsRequest: {
      reason: "Perl cannot move the point of execution",
      instead: advice`change values with ${call("set", { target: blank("name"), value: blank("value") })}, or ${call("restart")}`,
    },
    supportsStepBack: {
      reason: "Perl cannot run backwards",
      instead: "start again with an earlier breakpoint",
    },
  },
  custom: [],
  recipes: [debianPackages("the system's Perl::LanguageServer", "libperl-languageserver-perl")],
  byHand: "install Perl 5.22 or later, then `cpan Perl::LanguageServer`",
  sample: {
    file: "sample.pl",
    text: 'my $answer = 6 * 7;\nprint "$answer\\n";\n',
    line: 2,
    shows: { name: "$answer", value: "42" },
  },
  find,
  claims: (pid) => /^perl[\d.]*$/.test(executableName(pid) ?? ""),

  open: fromTheStart({ language: "Perl", type: ".pl", why: "its debugger is loaded at the start" }, perl),
};

async function find(where: Where): Promise<Found> {
  const command = where.settings?.command ?? "perl";
  const perl = toolOnPath(command, where);
  if (perl === undefined) return { ok: false, reason: `there is no ${command} on the PATH` };
  const [version, language] = (await probe(perl, ["-e", LOOK], where.env))?.trim().split(" ") ?? [];
  if (version === undefined || language === undefined)
    return { ok: false, reason: `${perl} has no Perl::LanguageServer` };
  return { ok: true, version, path: perl, notes: [`Perl ${language}`] };
}

/** Read by every Perl process of the program, whoever starts it. */
function environment(env: Record<string, string>, port: number): Record<string, string> {
  return {
    ...env,
    PERL5OPT: [env.PERL5OPT, "-d"].filter(Boolean).join(" "),
    PERL5DB: `BEGIN { $| = 1; require '${ownFile("adapters/perl/boot/boot.pl").replace(/[\\']/g, "\\$&")}' }`,
    PLSDI_REMOTE: `127.0.0.1:${port}`,
  };
}
