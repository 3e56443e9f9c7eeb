import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { askProcess } from './ask-process.ts';
import { ProcessFault } from './worker-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-ask-'));
afterAll(() => rmSync(folder, { recursive: true }));

const answer = z.string().max(5);
const ask = (worker: string, work: string, timeoutMs = 60_000) => {
  const source = `process.once('message', (task) => { ${work} });\nprocess.send?.('ready');\n`;
  const program = join(folder, `${worker}.mjs`);
  writeFileSync(program, source);
  return askProcess({ program, answer, timeoutMs, maxMemoryMb: 64 }, 'hello');
};

test('a process answers', async () => {
  expect(await ask('sound', 'process.send?.(task);')).toBe('hello');
});

test.each([
  ['wrong', 'process.send?.(`${task} and more`);', 'too_much'],
  ['hungry', 'const all = []; for (;;) all.push(String(Math.random()).repeat(99).split(""));', 'too_much'],
  ['broken', 'throw new Error("why it broke");', 'ended'],
])('a process whose answer is %s is a fault of that task alone', async (worker, work, reason) => {
  const fault = await ask(worker, work).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(ProcessFault);
  expect(fault).toMatchObject({ reason });
});

test('a process that takes too long is a fault, and what a broken one wrote is kept', async () => {
  await expect(ask('slow', 'setInterval(() => undefined, 1000);', 1)).rejects.toThrow('longer than 1 ms');
  await expect(ask('loud', 'throw new Error("why it broke");')).rejects.toThrow('why it broke');
});
