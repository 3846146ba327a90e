/** Which build this is. esbuild puts the values in (scripts/build.mjs); run from sources both are "dev". */
declare const __SONDE_VERSION__: string | undefined;
declare const __SONDE_BUILD__: string | undefined;

export const VERSION: string = typeof __SONDE_VERSION__ === "string" ? __SONDE_VERSION__ : "dev";

/** A hash of the daemon's bundle: two clients with the same build may share a daemon. */
export const BUILD: string = typeof __SONDE_BUILD__ === "string" ? __SONDE_BUILD__ : "dev";
