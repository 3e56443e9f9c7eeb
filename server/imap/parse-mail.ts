import { fork } from 'node:child_process';
import { join } from 'node:path';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { type IncomingMail, incomingMail } from './read-mail.ts';

// From source the worker runs through tsx; in a build it is its own bundle (ship/launch/build.mjs).
const worker = import.meta.url.endsWith('.ts')
  ? { script: join(import.meta.dirname, 'mail-worker.ts'), execArgv: ['--import', 'tsx'] }
  : { script: join(import.meta.dirname, 'mail-worker.js'), execArgv: [] };

/** A person's mail takes a few megabytes. */
const maxMemoryMb = 256;

/**
 * Reads the source of a mail in a process of its own, so that a stranger's mail delays no customer, and can't use up the portal's memory.
 * Rejects when it takes longer than `timeoutMs`.
 */
export async function parseMail(source: Buffer, timeoutMs: number): Promise<IncomingMail> {
  const child = fork(worker.script, [], {
    cwd: projectFolder(),
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
    execArgv: [...worker.execArgv, `--max-old-space-size=${maxMemoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<IncomingMail>((resolve, reject) => {
      const late = () => reject(new Error(`reading it took longer than ${timeoutMs} ms`));
      child.on('message', (message) => {
        if (message !== 'ready') return resolve(incomingMail.parse(message));
        timer = setTimeout(late, timeoutMs);
        child.send(source);
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error('the process that read it ended')));
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
