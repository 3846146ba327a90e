/** `--x=y` as the two words `--x y`; a value keeps its own `=`. */
export function optionWords(words: readonly string[]): string[] {
  return words.flatMap((word) => (/^--\w+=/.test(word) ? word.split(/=(.*)/s).slice(0, 2) : [word]));
}
