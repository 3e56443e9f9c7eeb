import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { bundleScript } from './test-script.ts';

/** Runs a small process that uses process-life, waits for its first line, and returns how it ended. */
async function run(body: string, act: (child: ChildProcess) => void) {
  const script = bundleScript(
    `import { createLog } from '#shared/platform/log.ts'; import { createProcessLife } from '#shared/platform/process-life.ts';
     const log = createLog('tiny'); const life = createProcessLife(log, 300); setInterval(() => {}, 1000);
     ${body}; console.log('up');`,
  );
  const child = fork(script, { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const stdout = child.stdout;
  if (stdout === null) throw new Error('standard output is a pipe');
  let output = '';
  const up = new Promise<void>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('up\n')) resolve();
    });
  });
  // Not 'close': Node does not emit it after the parent has disconnected the channel.
  const ended = Promise.all([once(child, 'exit'), once(stdout, 'end')]);
  await Promise.race([up, ended]);
  act(child);
  const [[code]] = await ended;
  return { code: code as unknown, output };
}

const closers = `life.onStop('first', () => console.log('first closed')); life.onStop('second', async () => console.log('second closed'))`;

test('SIGTERM closes in reverse order and ends with 0', async () => {
  const { code, output } = await run(closers, (child) => child.kill('SIGTERM'));
  expect(output).toMatch(/second closed[\s\S]*first closed/);
  expect(code).toBe(0);
});

test('a signal that arrives twice at once, from npm and from a service manager, still stops in order', async () => {
  const closer = `life.onStop('slow', async () => { await new Promise((done) => setTimeout(done, 100)); console.log('closed'); })`;
  const { code, output } = await run(closer, (child) => {
    child.kill('SIGTERM');
    child.kill('SIGINT');
  });
  expect(output).toContain('closed');
  expect(code).toBe(0);
});

test('a process whose parent is gone exits by itself', async () => {
  const { code, output } = await run(closers, (child) => child.disconnect());
  expect(output).toContain('first closed');
  expect(code).toBe(0);
});

test('a failing closer does not stop the others, and the exit code reports it', async () => {
  const { code, output } = await run(
    `${closers}; life.onStop('bad', () => { throw new Error('stuck door'); })`,
    (child) => child.kill('SIGINT'),
  );
  expect(output).toContain('stuck door');
  expect(output).toContain('first closed');
  expect(code).toBe(1);
});

test('closing that exceeds the deadline is cut off', async () => {
  const { code } = await run(`life.onStop('slow', () => new Promise(() => {}))`, (child) => child.kill('SIGTERM'));
  expect(code).toBe(1);
});

test('an uncaught error is logged and the process stops in order', async () => {
  const { code, output } = await run(`${closers}; setTimeout(() => { throw new Error('surprise'); }, 10)`, () => {});
  expect(output).toContain('surprise');
  expect(output).toContain('first closed');
  expect(code).toBe(1);
});
