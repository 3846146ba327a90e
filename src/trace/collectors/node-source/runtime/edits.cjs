// Text put into a program's text, at offsets of the original. Nothing is taken away and no line is added.

const WORD = /[\p{ID_Continue}$\u200c\u200d]/u;

/** What goes in at one offset is nested by how far it reaches: the widest opens first and closes last. */
class Edits {
  #text;
  #list = [];

  constructor(text) {
    this.#text = text;
  }

  /** Around a stretch of the text. `isStatement`: before what opens expressions at the same place. */
  wrap(start, end, before, after, isStatement = false) {
    const rank = isStatement ? 0 : 1;
    const order = this.#list.length;
    if (before !== "") this.#list.push({ at: start, text: before, closes: false, other: end, rank, order });
    if (after !== "") this.#list.push({ at: end, text: after, closes: true, other: start, rank, order });
  }

  /** Before a statement that ends at `end`. */
  before(start, end, text) {
    this.wrap(start, end, text, "", true);
  }

  /** At the end of something that began at `start`; of nothing: inside whatever else closes there. */
  last(at, text, start = at) {
    this.#list.push({ at, text, closes: true, other: start, rank: 0, order: this.#list.length });
  }

  /** After whatever closes at the end of a statement, but inside a block that was put around it. */
  end(start, end) {
    this.#list.push({ at: end, text: ";", closes: true, other: start, rank: 0.5, order: this.#list.length });
  }

  /** Where something was put behind a stretch of the text. */
  closings() {
    return new Set(this.#list.flatMap(({ at, closes }) => (closes ? [at] : [])));
  }

  get size() {
    return this.#list.length;
  }

  /** In the order of the text, none of them running into a word beside it. */
  sorted() {
    const list = [...this.#list].sort((a, b) => {
      if (a.at !== b.at) return a.at - b.at;
      if (a.closes !== b.closes) return a.closes ? -1 : 1;
      if (a.closes) return b.other - a.other || b.rank - a.rank || b.order - a.order;
      return b.other - a.other || a.rank - b.rank || a.order - b.order;
    });
    return list.map(({ at, text }, index) => {
      const [before, after] = [list[index - 1], list[index + 1]];
      const left = before?.at === at ? before.text.at(-1) : this.#text[at - 1];
      const right = after?.at === at ? "" : this.#text[at];
      return {
        at,
        text: `${areJoined(left, text[0]) ? " " : ""}${text}${areJoined(text.at(-1), right) ? " " : ""}`,
      };
    });
  }

  apply() {
    const text = this.#text;
    let out = "";
    let from = 0;
    for (const edit of this.sorted()) {
      out += text.slice(from, edit.at) + edit.text;
      from = edit.at;
    }
    return out + text.slice(from);
  }
}

/** Surrogates are halves of letters, as far as can be told here. */
const isWord = (char) =>
  char !== undefined && char !== "" && (WORD.test(char) || /[\ud800-\udfff]/.test(char));
const areJoined = (left, right) => isWord(left) && isWord(right);

module.exports = { Edits };
