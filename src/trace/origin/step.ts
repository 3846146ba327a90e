/** One line on the way, as it last ran before it mattered. */
export interface Step {
  path: string;
  line: number;
  function: string;
  /** What it wrote. */
  changes: [name: string, value: string][];
  /** By the last line of a call. */
  returned?: string;
  /** How many times it ran, in all that was kept of the recording. */
  times: number;
  /** How far it is from the failure. */
  distance: number;
  /** It wrote what is kept from then on, and what other lines write as well. */
  keeps?: boolean;
}
