import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';
import { z } from 'zod';
import { ProcessFault, startWorker, type WorkerProgram } from './worker-program.ts';

interface Lasting extends WorkerProgram {
  /** While tasks wait, a worker that says nothing for so long is stuck. */
  silentMs: number;
  /** What the worker says about what it does now. */
  onNote?: (note: string) => void;
}

interface Waiting {
  resolve: (answer: unknown) => void;
  reject: (fault: Error) => void;
}

const message = z.union([
  z.literal(['ready', 'pong']),
  z.object({ note: z.string() }),
  z.object({ id: z.number(), fault: z.string() }),
  z.object({ id: z.number(), answer: z.unknown() }),
]);

/**
 * A process that keeps what it read and answers many tasks, such as pages of a large document, which would delay customers here. It starts with the
 * first task, and again after it has ended. It keeps this process running only while a task waits.
 */
export class LastingProcess {
  private readonly waiting = new Map<number, Waiting>();
  private readonly program: Lasting;
  private child: ChildProcess | undefined;
  private isReady = false;
  private unsent: { id: number; task: object }[] = [];
  private lastId = 0;
  private heardAt = 0;
  private watch: NodeJS.Timeout | undefined;

  constructor(program: Lasting) {
    this.program = program;
  }

  /** One that is started anew knows nothing. */
  get isRunning(): boolean {
    return this.child !== undefined;
  }

  get waitingTasks(): number {
    return this.waiting.size;
  }

  /** Rejects with ProcessFault when no sound answer comes, and with what the worker said when it could not do the task. */
  async ask<Answer>(task: object, answer: z.ZodType<Answer>): Promise<Answer> {
    return answer.parse(
      await new Promise<unknown>((resolve, reject) => {
        this.lastId += 1;
        this.waiting.set(this.lastId, { resolve, reject });
        this.send(this.lastId, task);
      }),
    );
  }

  end(): void {
    const { child } = this;
    this.over(child, new ProcessFault('ended', `${basename(this.program.program)} was ended`));
    child?.kill('SIGKILL');
  }

  private send(id: number, task: object): void {
    const child = (this.child ??= this.start());
    child.ref();
    child.channel?.ref();
    this.watch ??= this.watched();
    if (this.isReady) child.send({ id, task });
    else this.unsent.push({ id, task });
  }

  private start(): ChildProcess {
    const child = startWorker(this.program, (fault) => this.over(child, fault));
    child.on('message', (sent) => this.hear(child, sent));
    return child;
  }

  private hear(child: ChildProcess, sent: unknown): void {
    if (child !== this.child) return;
    this.heardAt = performance.now();
    const heard = message.safeParse(sent).data;
    if (heard === undefined || heard === 'pong') return;
    if (heard === 'ready') {
      this.isReady = true;
      for (const each of this.unsent.splice(0)) child.send(each);
      return;
    }
    if ('note' in heard) {
      this.program.onNote?.(heard.note);
      return;
    }
    const task = this.waiting.get(heard.id);
    this.waiting.delete(heard.id);
    if ('fault' in heard) task?.reject(new Error(heard.fault));
    else task?.resolve(heard.answer);
    if (this.waiting.size === 0) this.rest(child);
  }

  private over(child: ChildProcess | undefined, fault: Error): void {
    if (child !== this.child) return;
    this.child = undefined;
    this.isReady = false;
    this.unsent = [];
    if (child !== undefined) this.rest(child);
    const all = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of all) reject(fault);
  }

  private rest(child: ChildProcess): void {
    clearInterval(this.watch);
    this.watch = undefined;
    child.unref();
    child.channel?.unref();
  }

  private watched(): NodeJS.Timeout {
    const { silentMs, program } = this.program;
    this.heardAt = performance.now();
    let watchedAt = this.heardAt;
    return setInterval(() => {
      const { child } = this;
      const now = performance.now();
      // This process stood still itself, and has not read what the worker said meanwhile.
      if (now - watchedAt > silentMs / 2) this.heardAt = now;
      watchedAt = now;
      if (now - this.heardAt > silentMs) {
        this.over(child, new ProcessFault('too_much', `${basename(program)} said nothing for ${silentMs} ms`));
        child?.kill('SIGKILL');
      } else if (this.isReady) child?.send('ping');
    }, silentMs / 4);
  }
}

const sentTask = z.union([z.literal('ping'), z.object({ id: z.number(), task: z.unknown() })]);

/** The worker says what it begins, which is known when that ends it. */
export function note(words: string): void {
  process.send?.({ note: words });
}

/** The worker's side. A task that takes long must let others in between. */
export function answerTasks(answerTo: (task: unknown) => unknown): void {
  process.on('message', (sent) => {
    const given = sentTask.parse(sent);
    if (given === 'ping') process.send?.('pong');
    else void answer(given);
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');

  async function answer({ id, task }: { id: number; task: unknown }): Promise<void> {
    try {
      process.send?.({ id, answer: await answerTo(task) });
    } catch (error) {
      process.send?.({ id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
}
