// Where the lines of a JavaScript text begin.

/** Offset → line and column, from 0, and back. */
class Lines {
  #starts = [0];

  constructor(text) {
    const breaks = /\r\n|[\n\r\u2028\u2029]/g;
    for (let found = breaks.exec(text); found !== null; found = breaks.exec(text))
      this.#starts.push(found.index + found[0].length);
  }

  at(offset) {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low, column: offset - this.#starts[low] };
  }

  /** Beyond the last line: infinite. */
  offset(line, column) {
    return line >= this.#starts.length ? Number.POSITIVE_INFINITY : this.#starts[line] + column;
  }
}

module.exports = { Lines };
