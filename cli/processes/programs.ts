import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { CommandFailed } from '#cli/command-result.ts';
import { builtProgram } from '#shared/platform/built-program.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';

/** Becomes one of the built programs, which takes its settings from the environment and ends the process when it is told to stop. */
export async function becomeProgram(
  name: 'launch' | 'rehearse' | 'portal' | 'gateway' | 'products',
  words: readonly string[] = [],
): Promise<void> {
  const file = builtProgram(name);
  if (!existsSync(file)) throw new CommandFailed('Octroi is not built in this folder. Build it with: npm run build');
  loadEnvFile();
  process.argv.splice(1, process.argv.length, file, ...words);
  await import(pathToFileURL(file).href);
}
