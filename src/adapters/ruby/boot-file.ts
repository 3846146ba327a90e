/** Where the Ruby scripts lie: beside the bundle in the built product, beside the adapter's sources otherwise. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

export function findBootFile(): string {
  const places = ["./ruby-boot/boot.rb", "./boot/boot.rb"].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`sonde's own file is missing: ${places[0]}; install sonde again`);
  return found;
}
