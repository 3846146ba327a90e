/** Paths to values, each read once however many expressions name it. */
export class Paths<Path> {
  readonly paths: Path[] = [];

  /** The number of this path. */
  path(path: Path): number {
    const same = JSON.stringify(path);
    const known = this.paths.findIndex((one) => JSON.stringify(one) === same);
    return known >= 0 ? known : this.paths.push(path) - 1;
  }
}
