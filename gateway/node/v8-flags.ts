import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import type { Shortcut } from './shortcut.ts';

/**
 * V8 mis-sizes the heap for this workload: little live data, many short-lived objects. It derives the heap limit from the live data and so
 * runs a full collection every other second; heap-growing-percent lets the heap grow further first. And it takes calls that wait for their
 * response for long-lived objects and allocates the next ones in the old generation, which keeps everything they refer to alive;
 * no-allocation-site-pretenuring stops that. Together they save up to a third of the CPU time of a call.
 */
const flags = ['--heap-growing-percent=400', '--no-allocation-site-pretenuring'];

let isOff = false;

/** Call it before much memory is in use. */
export function applyV8Flags(): void {
  if (isOff) return;
  for (const flag of flags) setFlagsFromString(flag);
}

export const v8Flags: Shortcut = {
  name: 'garbage collector flags',
  fallback: "V8's defaults: up to a third more CPU time per call",
  selfTest: async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--v8-options'], { maxBuffer: 4 * 1024 * 1024 });
    return flags.every((flag) => stdout.includes(flag.replace(/^--(no-)?/, '--').replace(/=.*/, ' ')));
  },
  disable: () => {
    isOff = true;
  },
};
