/** One line of `sonde adapters`. */
import * as z from "zod";

export const adapterRow = z.object({
  name: z.string(),
  title: z.string(),
  languages: z.array(z.string()),
  fileTypes: z.array(z.string()),
  found: z.boolean(),
  version: z.string().optional(),
  path: z.string().optional(),
  why: z.string().optional(),
  install: z.string().optional(),
});

export type AdapterRow = z.infer<typeof adapterRow>;
