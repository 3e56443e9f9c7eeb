import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { makeFolder } from '#shared/platform/make-folder.ts';

/** The list of every HSN and SAC code that GSTN publishes: codes and descriptions, no rates. */
export interface OfficialList {
  /** Name of the imported file, and when it was imported; null when nothing was. */
  source: { file: string; importedAt: string } | null;
  descriptions: ReadonlyMap<string, string>;
}

export const noOfficialList: OfficialList = { source: null, descriptions: new Map() };

const stored = z.object({
  source: z.object({ file: z.string(), importedAt: z.string() }),
  codes: z.array(z.tuple([z.string().regex(/^\d{2,8}$/), z.string()])),
});

function pathIn(dataDir: string): string {
  return join(dataDir, 'tax-lookup', 'official-codes.json');
}

/** Reads the imported list from the data folder; empty when nothing was imported. Throws when the file is broken. */
export function readOfficialList(dataDir: string): OfficialList {
  const path = pathIn(dataDir);
  if (!existsSync(path)) return noOfficialList;
  try {
    const { source, codes } = stored.parse(JSON.parse(readFileSync(path, 'utf8')));
    return { source, descriptions: new Map(codes) };
  } catch (cause) {
    throw new Error(`${path} is broken; import the list again.`, { cause });
  }
}

/** Stores the list atomically and returns its path. */
export function writeOfficialList(dataDir: string, { source, descriptions }: OfficialList): string {
  const path = pathIn(dataDir);
  makeFolder(dirname(path));
  writeFileSync(`${path}.new`, JSON.stringify({ source, codes: [...descriptions] }), { flush: true });
  renameSync(`${path}.new`, path);
  return path;
}
