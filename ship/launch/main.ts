import { loadEnvFile } from '#shared/platform/env-file.ts';
import { readLaunch } from './read-launch.ts';
import { run } from './run.ts';
import { say, sayHelp } from './terminal.ts';

try {
  loadEnvFile();
  const launch = readLaunch(process.argv.slice(2), process.env);
  if (launch.help) sayHelp();
  else await run(launch);
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
