import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { fileReason } from './file-reason.ts';
import { projectFolder } from './project-folder.ts';

/** The settings in a file; throws with a sentence when it can't be read. */
export function readEnvFile(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`The settings in ${file} can't be read: ${fileReason(cause)}.`, { cause });
  }
}

/** Adds the settings of the project's `.env` to the environment, which they never replace. A rehearsal has all of its settings already. */
export function loadEnvFile(file = projectFolder('.env')): void {
  if (/^(?:yes|true|1|on)$/i.test(process.env['REHEARSAL'] ?? '') || !existsSync(file)) return;
  for (const [name, value] of Object.entries(readEnvFile(file))) process.env[name] ??= value;
}
