import { ownFile } from "../../util/own-file.ts";

/** What a sitecustomize of ours imports, as `sonde_site`. */
export function siteFile(): string {
  return ownFile("adapters/python/site/sonde_site.py");
}
