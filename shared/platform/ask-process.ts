import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { z } from 'zod';
import { projectFolder } from './project-folder.ts';

interface Asked<Answer> {
  /** The folder of the worker's source and its name. In a build it is a bundle beside that of the process that asks (ship/launch/build.mjs). */
  folder: string;
  worker: string;
  answer: z.ZodType<Answer>;
  timeoutMs: number;
  maxMemoryMb: number;
}

/** `too_much`: it ran out of time or memory, or its answer is out of bounds. */
export class ProcessFault extends Error {
  readonly reason: 'too_much' | 'ended';
  constructor(reason: 'too_much' | 'ended', message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What is kept of the error output of a process that ended. */
const maxErrorChars = 2000;

/**
 * Gives a task to a process of its own, which sends `ready` and then its answer, so that a stranger's input delays no customer and can't use up
 * this process's memory. Rejects with ProcessFault when no sound answer comes.
 */
export async function askProcess<Answer>(
  { folder, worker, answer, timeoutMs, maxMemoryMb }: Asked<Answer>,
  task: object | string,
): Promise<Answer> {
  // From source the worker runs through tsx.
  const isSource = import.meta.url.endsWith('.ts');
  const child = fork(join(folder, `${worker}.${isSource ? 'ts' : 'js'}`), [], {
    cwd: projectFolder(),
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
    execArgv: [...(isSource ? ['--import', 'tsx'] : []), `--max-old-space-size=${maxMemoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let written = '';
  child.stderr?.on('data', (part: Buffer) => (written = `${written}${part.toString()}`.slice(-maxErrorChars)));
  let timer: NodeJS.Timeout | undefined;
  try {
    // What a listener throws would end this process, so nothing is read there.
    const message = await new Promise<unknown>((resolve, reject) => {
      timer = setTimeout(() => reject(new ProcessFault('too_much', `it took longer than ${timeoutMs} ms`)), timeoutMs);
      child.on('message', (sent) => (sent === 'ready' ? child.send(task) : resolve(sent)));
      child.on('error', reject);
      child.once('close', (code, signal) => {
        // V8 aborts without memory; the kernel kills.
        const isMemory = signal === 'SIGABRT' || signal === 'SIGKILL';
        reject(new ProcessFault(isMemory ? 'too_much' : 'ended', `${worker} ended (${signal ?? code}): ${written}`));
      });
    });
    const read = answer.safeParse(message);
    if (!read.success) throw new ProcessFault('too_much', `the answer of ${worker} is out of bounds`);
    return read.data;
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
