import { type ChildProcess, spawn } from 'node:child_process';
import { projectFolder } from '#shared/platform/project-folder.ts';

export interface RunningProgram {
  child: ChildProcess;
  output: () => string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

/** Starts a program in its own process, with only the given environment. */
export function spawnProgram(script: string, env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [script], {
    cwd: projectFolder(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, output: () => output, ended };
}
