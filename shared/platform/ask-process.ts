import { basename } from 'node:path';
import type { z } from 'zod';
import { ProcessFault, startWorker, type WorkerProgram } from './worker-program.ts';

interface Asked<Answer> extends WorkerProgram {
  answer: z.ZodType<Answer>;
  timeoutMs: number;
}

/**
 * Gives a task to a process of its own, which sends `ready` and then its answer, so that a stranger's input delays no customer and can't use up
 * this process's memory. Rejects with ProcessFault when no sound answer comes.
 */
export async function askProcess<Answer>(
  { answer, timeoutMs, ...worker }: Asked<Answer>,
  task: object | string,
): Promise<Answer> {
  let end: (() => void) | undefined;
  try {
    // What a listener throws would end this process, so nothing is read there.
    const message = await new Promise<unknown>((resolve, reject) => {
      const child = startWorker(worker, reject);
      const fault = new ProcessFault('too_much', `it took longer than ${timeoutMs} ms`);
      const timer = setTimeout(reject, timeoutMs, fault);
      end = () => {
        clearTimeout(timer);
        child.kill('SIGKILL');
      };
      child.on('message', (sent) => (sent === 'ready' ? child.send(task) : resolve(sent)));
    });
    const read = answer.safeParse(message);
    if (!read.success) throw new ProcessFault('too_much', `the answer of ${basename(worker.program)} is out of bounds`);
    return read.data;
  } finally {
    end?.();
  }
}

/** The worker's side. What it throws ends it. */
export function answerTask(answerTo: (task: unknown) => object | Promise<object>): void {
  process.once('message', (task) => void answer(task));
  process.once('disconnect', () => process.exit());
  process.send?.('ready');

  async function answer(task: unknown): Promise<void> {
    process.send?.(await answerTo(task));
  }
}
