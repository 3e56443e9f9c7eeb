import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtProgram } from '#shared/platform/built-program.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { RenderFault } from './render-fault.ts';
import { type WorkerMessage, type WorkerTask, workerMessage } from './worker-message.ts';

export interface WorkerBounds {
  /** How long one render may take, in milliseconds. */
  timeoutMs: number;
  /** Maximum resident memory of the worker, in bytes. */
  memoryBytes: number;
  /** Linux nice value, 0 to 19: a higher value gives other processes priority. */
  niceness: number;
}

/** A child process that renders one document at a time. */
export interface RenderWorker {
  pid: number | undefined;
  /**
   * Renders a `DocumentPaper` given as JSON. Rejects with RenderFault when the worker was stopped or crashed, and with the
   * template's own error when the document cannot be rendered.
   */
  render: (data: string) => Promise<Buffer>;
  /** Runs the program's `prepare` on the data; rejects like `render`. */
  prepare: (program: string, data: string) => Promise<unknown>;
  /** False once the process has exited or was told to. */
  alive: () => boolean;
  /** Memory after the last render, in bytes. */
  rssBytes: () => number;
  /** Documents rendered so far. */
  rendered: () => number;
  /** Kills the process at once, even in the middle of a render. */
  end: () => void;
}

/** The result of a task. */
type Done = Exclude<WorkerMessage, 'ready' | { fault: string }>;

const checkMs = 50;
/** Starting loads the program and the fonts, which takes seconds on a busy machine. */
const startTimeoutMs = 60_000;

/**
 * Starts a render worker. It is a child process and not a thread, because only a process can be killed inside native code, and only a
 * process's memory can be measured and freed. It has its own session and none of the parent's secrets in its environment, and it does not
 * keep the parent alive while idle.
 */
export function startRenderWorker(bounds: WorkerBounds): RenderWorker {
  const child = fork(builtProgram('render-worker'), [String(bounds.niceness)], {
    cwd: projectFolder(),
    detached: true,
    // One layout thread: a worker should use one core.
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], RAYON_NUM_THREADS: '1' },
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();

  let task: { resolve: (done: Done) => void; reject: (error: Error) => void; check: NodeJS.Timeout } | undefined;
  let since = performance.now();
  let ready = false;
  let ending = false;
  let rssBytes = 0;
  let rendered = 0;

  const finish = (act: (current: NonNullable<typeof task>) => void): void => {
    const current = task;
    if (current === undefined) return;
    task = undefined;
    clearInterval(current.check);
    act(current);
  };
  const end = (): void => {
    ending = true;
    child.kill('SIGKILL');
  };
  const endWith = (fault: RenderFault): void => {
    end();
    finish(({ reject }) => reject(fault));
  };
  const check = (): void => {
    if (performance.now() - since > (ready ? bounds.timeoutMs : startTimeoutMs)) endWith(new RenderFault('too-slow'));
    else if (residentBytes(child) > bounds.memoryBytes) endWith(new RenderFault('too-large'));
  };

  child.on('message', (raw) => {
    const message = workerMessage.parse(raw);
    if (message === 'ready') {
      ready = true;
      since = performance.now();
      return;
    }
    ({ rssBytes } = message);
    if ('fault' in message) finish(({ reject }) => reject(new Error(`the template failed: ${message.fault}`)));
    else finish(({ resolve }) => resolve(message));
  });
  child.once('exit', () => endWith(new RenderFault('crashed')));
  child.once('error', () => endWith(new RenderFault('crashed')));

  const run = (given: WorkerTask): Promise<Done> =>
    new Promise((resolve, reject) => {
      since = performance.now();
      task = { resolve, reject, check: setInterval(check, checkMs) };
      child.send(given, (error) => error && endWith(new RenderFault('crashed')));
    });

  return {
    pid: child.pid,
    render: async (data) => {
      const done = await run({ data });
      rendered += 1;
      if (!('pdf' in done)) throw new Error('the worker rendered nothing');
      return Buffer.from(done.pdf);
    },
    prepare: async (program, data) => {
      const done = await run({ data, program });
      return 'prepared' in done ? done.prepared : undefined;
    },
    alive: () => !ending,
    rssBytes: () => rssBytes,
    rendered: () => rendered,
    end,
  };
}

/** The process's resident memory as Linux reports it; 0 where it can't be read: the limit is then checked after each render only. */
function residentBytes({ pid }: ChildProcess): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
