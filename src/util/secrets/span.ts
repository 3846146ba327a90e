/** Where in a text a secret stands. */
export interface SecretSpan {
  start: number;
  end: number;
  kind: string;
  /** To be put on both sides of the mask: a number in JSON text becomes a string. */
  quote?: string;
}
