import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { once } from './once.ts';
import { projectFolder } from './project-folder.ts';

/** The version of Octroi, as in package.json: `0.1.0`. Read once: each object of a database is compared with it. */
export const octroiVersion = once((): string => {
  const about: unknown = JSON.parse(readFileSync(projectFolder('package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(about).version;
});
