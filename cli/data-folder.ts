import { join } from 'node:path';
import { loadEnvFile } from '#shared/platform/env-file.ts';
import { readOperatorSettings } from '#server/config.ts';

/** A path in the data folder, where commands write files unless they are given a folder. */
export function dataFolder(...parts: string[]): string {
  loadEnvFile();
  return join(readOperatorSettings({ env: process.env }).dataDir, ...parts);
}
