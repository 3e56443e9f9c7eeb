import { parseArgs } from 'node:util';
import { readRehearsal } from './rehearsal/rehearsal.ts';
import { run } from './run.ts';
import { say } from './terminal.ts';
import { loadEnvFile } from '#shared/platform/env-file.ts';

try {
  loadEnvFile();
  const { values } = parseArgs({
    options: { folder: { type: 'string', default: './rehearsal' }, port: { type: 'string', default: '4440' } },
  });
  const { launch, stage } = await readRehearsal(values, process.env);
  await run(launch, stage);
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
