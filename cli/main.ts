import { run } from './octroi.ts';

process.exitCode = await run(process.argv.slice(2));
