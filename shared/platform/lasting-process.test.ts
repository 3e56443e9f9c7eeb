import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { LastingProcess } from './lasting-process.ts';
import { bundleScript } from './test-script.ts';

const opened: LastingProcess[] = [];
afterAll(() => {
  for (const each of opened) each.end();
});

function start(work: string, silentMs = 60_000): LastingProcess {
  const program = bundleScript(`import { answerTasks } from '#shared/platform/lasting-process.ts';
let known = 0;
answerTasks(async ({ task }: any) => { ${work} });`);
  const started = new LastingProcess({ program, maxMemoryMb: 64, silentMs });
  opened.push(started);
  return started;
}
const ask = (of: LastingProcess, task: string) => of.ask({ task }, z.unknown());

test('a process keeps what it knows between its tasks, and answers a task while another waits', async () => {
  const one = start(
    "if (task === 'slow') await new Promise((resolve) => setTimeout(resolve, 300)); known += 1; return `${task} ${known}`;",
  );
  expect(await ask(one, 'first')).toBe('first 1');
  expect(await Promise.all([ask(one, 'slow'), ask(one, 'quick')])).toEqual(['slow 3', 'quick 2']);
});

test('a task that fails is a fault of that task alone', async () => {
  const one = start("if (task === 'bad') throw new Error('why it failed'); known += 1; return known;");
  expect(await Promise.allSettled([ask(one, 'good'), ask(one, 'bad'), ask(one, 'good')])).toMatchObject([
    { value: 1 },
    { reason: { message: expect.stringContaining('why it failed') } },
    { value: 2 },
  ]);
});

test.each([
  ['runs out of memory', "const all = []; for (;;) all.push(String(Math.random()).repeat(99).split(''));", 60_000],
  ['never comes to an end', 'for (;;);', 4000],
])('after a task that %s the next one has a new process', async (_, work, silentMs) => {
  const one = start(`if (task === 'bad') { ${work} } known += 1; return known;`, silentMs);
  expect(await ask(one, 'good')).toBe(1);
  await expect(ask(one, 'bad')).rejects.toMatchObject({ reason: 'too_much' });
  expect([one.isRunning, one.waitingTasks]).toEqual([false, 0]);
  expect(await ask(one, 'good')).toBe(1);
});
