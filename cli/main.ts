#!/usr/bin/env node
import { processCommands, processNames } from './processes/commands.ts';
import { runProgram } from './run-program.ts';

// The reader of a pipe, such as head, may go before everything is written.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const words = process.argv.slice(2);
const [command = ''] = words;
// A process that serves customers must not hold the code of all commands in its memory.
process.exitCode = processNames.includes(command)
  ? await runProgram(processCommands(), words)
  : await (await import('./octroi.ts')).run(words);
