/**
 * Where an adapter is installed. It is made in a folder of its own below `.made`, under the name it keeps (a Python environment
 * cannot be moved), and becomes `<adapters>/<name>` by a link once it is whole: what is there is never half an installation.
 */
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";

export class SetupPlace {
  readonly folder: string;
  readonly #link: string;
  /** What the link pointed to before. */
  #before: string | undefined;
  #published = false;

  constructor(adapters: string, name: string) {
    const made = join(adapters, ".made");
    this.#link = join(adapters, name);
    mkdirSync(made, { recursive: true });
    this.#before = targetOf(this.#link);
    // What an installation that was killed left behind.
    for (const old of readdirSync(made))
      if (old.startsWith(`${name}@`) && join(".made", old) !== this.#before)
        rmSync(join(made, old), { recursive: true, force: true });
    this.folder = join(made, `${name}@${Date.now().toString(36)}`);
    mkdirSync(this.folder);
  }

  publish(how: string): void {
    // A package manager puts it elsewhere.
    if (readdirSync(this.folder).length === 0) return;
    writeFileSync(join(this.folder, "sonde-setup.json"), `${JSON.stringify({ how })}\n`);
    this.#setAside();
    this.#point(join(".made", basename(this.folder)));
    this.#published = true;
  }

  /** It works: the one before goes. */
  keep(): void {
    if (!this.#published) this.discard();
    else if (this.#before?.startsWith(".made/"))
      rmSync(join(this.#link, "..", this.#before), { recursive: true, force: true });
  }

  /** As if nothing had been done. */
  discard(): void {
    if (this.#published) {
      if (this.#before === undefined) rmSync(this.#link, { force: true });
      else this.#point(this.#before);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** In one step, so that whoever looks finds the old or the new. */
  #point(target: string): void {
    const next = `${this.#link}.new`;
    rmSync(next, { force: true });
    symlinkSync(target, next);
    renameSync(next, this.#link);
  }

  /** A folder put there by hand cannot be replaced by a link in one step. */
  #setAside(): void {
    if (!lstatSync(this.#link, { throwIfNoEntry: false })?.isDirectory()) return;
    const aside = join(".made", `${basename(this.#link)}@before`);
    renameSync(this.#link, join(this.#link, "..", aside));
    this.#before = aside;
  }
}

function targetOf(link: string): string | undefined {
  try {
    return lstatSync(link).isSymbolicLink() ? readlinkSync(link) : undefined;
  } catch {
    return undefined;
  }
}
