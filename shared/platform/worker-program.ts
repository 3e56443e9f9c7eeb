import { type ChildProcess, fork } from 'node:child_process';
import { Socket } from 'node:net';
import { basename } from 'node:path';
import { projectFolder } from './project-folder.ts';

export interface WorkerProgram {
  /** The file of the worker. */
  program: string;
  maxMemoryMb: number;
}

/**
 * `too_much`: it ran out of time or of its own memory, or its answer is out of bounds. `killed`: by somebody, or by the kernel of a machine without memory.
 * `busy`: too many tasks wait already.
 */
export class ProcessFault extends Error {
  readonly reason: 'too_much' | 'killed' | 'ended' | 'busy';
  constructor(reason: ProcessFault['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What is kept of the error output of a process that ended. */
const maxErrorChars = 2000;

/** Starts a worker without this process's secrets. It sends `ready` once it can be given a task. `onEnd`: it ended by itself. */
export function startWorker({ program, maxMemoryMb }: WorkerProgram, onEnd: (fault: Error) => void): ChildProcess {
  const child = fork(program, [], {
    cwd: projectFolder(),
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
    execArgv: [`--max-old-space-size=${maxMemoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let written = '';
  child.stderr?.on('data', (part: Buffer) => (written = `${written}${part.toString()}`.slice(-maxErrorChars)));
  // Only tasks keep this process running.
  if (child.stderr instanceof Socket) child.stderr.unref();
  // Such as a task for one that has just ended.
  child.on('error', ({ message }) => onEnd(new ProcessFault('ended', `${basename(program)}: ${message}`)));
  child.once('close', (code, signal) => {
    // V8 ends a process without memory by a signal that differs between versions of Node.
    const isMemory = signal === 'SIGABRT' || written.includes('heap out of memory');
    const reason = isMemory ? 'too_much' : signal === 'SIGKILL' ? 'killed' : 'ended';
    onEnd(new ProcessFault(reason, `${basename(program)} ended (${signal ?? code}): ${written}`));
  });
  return child;
}
