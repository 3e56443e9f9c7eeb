import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#platform/project-folder.ts';
import { RenderFault } from './render-fault.ts';
import { workerMessage } from './worker-message.ts';

export interface WorkerBounds {
  /** How long one render may take, in milliseconds. */
  timeoutMs: number;
  /** How much memory (resident, in bytes) the worker may hold. */
  memoryBytes: number;
  /** 0 to 19, as Linux counts it: the higher, the sooner the worker gives way to other processes. */
  niceness: number;
}

/** A child process that renders one document at a time. */
export interface RenderWorker {
  pid: number | undefined;
  /**
   * Renders a `DocumentPaper` given as JSON. Rejects with RenderFault when the worker had to be ended or died, and with the
   * template's own error when the document cannot be set.
   */
  render: (data: string) => Promise<Buffer>;
  /** True until the process has ended or was told to. */
  alive: () => boolean;
  /** Memory after the last render, in bytes. */
  rssBytes: () => number;
  /** Documents rendered so far. */
  rendered: () => number;
  /** Ends the process at once, whatever it does. */
  end: () => void;
}

const checkMs = 50;
/** Starting reads the program and the fonts; on a busy machine this takes seconds. */
const startTimeoutMs = 60_000;

/** From sources the worker runs through tsx; beside a bundle it is a bundle of its own (launch/build.mjs). */
const worker = import.meta.url.endsWith('.ts')
  ? { script: projectFolder('paper', 'render-worker.ts'), execArgv: ['--import', 'tsx'] }
  : { script: join(import.meta.dirname, 'render-worker.js'), execArgv: [] };

/**
 * Starts a render worker. A child process and not a thread, because only a process can be ended inside native code, and only the memory
 * of a process can be measured and given back. It has a session of its own and none of the parent's secrets in its environment, and it
 * never keeps the parent alive while idle.
 */
export function startRenderWorker(bounds: WorkerBounds): RenderWorker {
  const child = fork(worker.script, [String(bounds.niceness)], {
    cwd: projectFolder(),
    detached: true,
    // One thread for layout: a worker is to take one core.
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], RAYON_NUM_THREADS: '1' },
    execArgv: worker.execArgv,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();

  let task: { resolve: (pdf: Buffer) => void; reject: (error: Error) => void; check: NodeJS.Timeout } | undefined;
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
    rendered += 1;
    if ('fault' in message) finish(({ reject }) => reject(new Error(`a document cannot be set: ${message.fault}`)));
    else finish(({ resolve }) => resolve(Buffer.from(message.pdf)));
  });
  child.once('exit', () => endWith(new RenderFault('crashed')));
  child.once('error', () => endWith(new RenderFault('crashed')));

  return {
    pid: child.pid,
    render: (data) =>
      new Promise((resolve, reject) => {
        since = performance.now();
        task = { resolve, reject, check: setInterval(check, checkMs) };
        child.send(data, (error) => error && endWith(new RenderFault('crashed')));
      }),
    alive: () => !ending,
    rssBytes: () => rssBytes,
    rendered: () => rendered,
    end,
  };
}

/** What a process holds in memory, as Linux counts it; 0 where that can't be read, and the bound then holds after each render. */
function residentBytes({ pid }: ChildProcess): number {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
