import { existsSync } from 'node:fs';
import { projectFolder } from '#platform/project-folder.ts';

/** Adds the settings of `.env` to the environment, as the processes do. */
export function loadEnvFile(): void {
  const file = projectFolder('.env');
  if (existsSync(file)) process.loadEnvFile(file);
}
