import { existsSync } from 'node:fs';
import { projectFolder } from './project-folder.ts';

/** Adds the settings of the project's `.env` to the environment, which they never replace. */
export function loadEnvFile(): void {
  const file = projectFolder('.env');
  if (existsSync(file)) process.loadEnvFile(file);
}
