export const MAP_LIMIT: number;
export type MapPlace = { url: string } & ({ text: string; file?: never } | { file: string; text?: never });
export function mapPlace(mapUrl: string, scriptUrl: string): MapPlace;
export function existingFile(name: string, mapUrl: string): string | undefined;
