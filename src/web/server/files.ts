/** The page itself: the files of dist/page. Read when they are asked for, and kept. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

export interface PageFile {
  type: string;
  bytes: Buffer;
}

/** Addresses of views: the page finds out which. */
const VIEWS = /^\/($|(now|s|t|d|p|a|logs|report|help)(\/|$))/;

export class PageFiles {
  readonly #folder: string;
  readonly #names: ReadonlySet<string>;
  readonly #read = new Map<string, PageFile>();

  constructor(folder: string) {
    this.#folder = folder;
    this.#names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  }

  /** By its name alone: a path never reaches the disk. */
  get(pathname: string): PageFile | undefined {
    const name = VIEWS.test(pathname) ? "index.html" : pathname.slice(1);
    const type = TYPES[extname(name)];
    if (type === undefined || !this.#names.has(name)) return undefined;
    const file = this.#read.get(name) ?? { type, bytes: readFileSync(join(this.#folder, name)) };
    this.#read.set(name, file);
    return file;
  }
}
