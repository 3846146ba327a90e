/** `${…}` in a configuration. Pure. What only an editor can know is refused by name, never guessed. */

import { basename, dirname, extname, relative, sep } from "node:path";
import { advice, blank, call, option, type Told } from "../../advice/advice.ts";
import { SondeError } from "../../errors.ts";

export interface Known {
  folder: string;
  cwd: string;
  home: string;
  env: Readonly<Record<string, string>>;
  /** `--file`, absolute. */
  file?: string | undefined;
  /** What each `${input:…}` asks for. */
  inputs: readonly { id: string; description?: string | undefined }[];
}

export function substitute(text: string, known: Known): string {
  return text.replace(/\$\{([^}]*)\}/g, (whole, inner: string) => {
    const at = inner.indexOf(":");
    const [name, rest] = at < 0 ? [inner, undefined] : [inner.slice(0, at), inner.slice(at + 1)];
    return rest === undefined ? plain(name, whole, known) : prefixed(name, rest, whole, known);
  });
}

function plain(name: string, whole: string, known: Known): string {
  const { folder, cwd, home } = known;
  switch (name) {
    case "workspaceFolder":
    case "workspaceRoot":
    case "fileWorkspaceFolder":
      return folder;
    case "workspaceFolderBasename":
    case "workspaceRootFolderName":
      return basename(folder);
    case "cwd":
      return cwd;
    case "userHome":
      return home;
    case "pathSeparator":
    case "/":
      return sep;
    default:
      return ofFile(name, whole, known);
  }
}

const GIVE = advice`give the program and its arguments to ${call("start", { program: blank("program") })}`;

const OF_FILE: Record<string, (file: string, folder: string) => string> = {
  file: (file) => file,
  relativeFile: (file, folder) => relative(folder, file),
  relativeFileDirname: (file, folder) => relative(folder, dirname(file)) || ".",
  fileBasename: (file) => basename(file),
  fileBasenameNoExtension: (file) => basename(file, extname(file)),
  fileExtname: (file) => extname(file),
  fileDirname: (file) => dirname(file),
  fileDirnameBasename: (file) => basename(dirname(file)),
};

function ofFile(name: string, whole: string, { file, folder }: Known): string {
  const take = Object.hasOwn(OF_FILE, name) ? OF_FILE[name] : undefined;
  if (!take) throw refused(whole, "only an editor knows it", GIVE);
  if (file === undefined)
    throw refused(
      whole,
      "it means the file open in the editor",
      advice`say which: ${option({ file: blank("file") })}`,
    );
  return take(file, folder);
}

function prefixed(name: string, rest: string, whole: string, known: Known): string {
  switch (name) {
    case "env":
      return known.env[rest] ?? "";
    case "workspaceFolder":
      if (rest === basename(known.folder)) return known.folder;
      throw refused(whole, "it is another folder of the workspace", "run sonde in that folder");
    case "input": {
      const asks = known.inputs.find((one) => one.id === rest)?.description;
      throw refused(whole, asks ? `it asks: ${asks}` : "the editor asks the user for it", GIVE);
    }
    case "config":
      throw refused(whole, "it is an editor setting", GIVE);
    case "command":
      if (/pick.*process/i.test(rest))
        throw refused(whole, "it asks for a process", advice`use ${call("attach", { pid: blank("pid") })}`);
      throw refused(whole, "it comes from an editor command", GIVE);
    default:
      throw refused(whole, "there is no such variable", GIVE);
  }
}

function refused(variable: string, why: string, hint: Told): SondeError {
  return new SondeError("BAD_ARGUMENT", `${variable} has no value here: ${why}`, { hint });
}
