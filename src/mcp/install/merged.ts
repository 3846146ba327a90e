/** `text`: the whole file as it is to be. `by`: what to do by hand, if it is not to add our whole part. */
export type Merged = { text: string; changed: boolean } | { refused: string; by?: string };
