import { expect, test, vi } from 'vitest';
import { exitCodes, printResult } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { currentActor } from '#cli/operator.ts';
import { captureTerminal } from '#cli/test-terminal.ts';

const terminal = captureTerminal();
const block = (...words: string[]) => run(['customers', 'block', 'CUS-1', '--yes', ...words]);

test.each([
  ['--reason', ''],
  ['--reason', '  \n '],
  ['--reason', 'Sold\u001b[31m'],
  ['--reason', 'x'.repeat(1001)],
  ['--reason', 'right to left \u202e'],
  ['--actor', ''],
  ['--actor', 'asha\u0007'],
  ['--actor', 'x'.repeat(301)],
])('%s %j is a wrong command line, before anything is asked of the database', async (option, text) => {
  terminal.errors = '';
  expect(await block(...(option === '--actor' ? ['--reason', 'Sold'] : []), option, text)).toBe(exitCodes.usage);
  expect(terminal.errors).toMatch(/^--(reason|actor) takes 1 to \d+ characters, without control characters/);
  expect(terminal.errors).not.toContain('\u001b');
});

test('names and messages of customers can’t write to the terminal, and JSON stays JSON', () => {
  const name = 'Asha\u001b]0;pwned\u0007\u009b2J\u202eevil';
  terminal.out = '';
  printResult(false, {}, [name, 'तीन\tline']);
  expect(terminal.out).toBe('Asha\\u001b]0;pwned\\u0007\\u009b2J\\u202eevil\nतीन\tline\n');
  terminal.out = '';
  printResult(true, { name }, []);
  expect(terminal.out).not.toMatch(/[\u0080-\u009f\u202e]/);
  expect(JSON.parse(terminal.out)).toEqual({ name });
});

test('a database that is away is named as that, with its settings and without its password', async () => {
  vi.stubEnv('DATABASE_URL', 'postgres://octroi:hunter2@127.0.0.1:1/octroi');
  expect(await run(['actions'])).toBe(exitCodes.failed);
  expect(terminal.errors).toMatch(/^The database can't be reached: .* Check DATABASE_URL/);
  expect(terminal.errors).not.toContain('hunter2');
  vi.unstubAllEnvs();
});

test('behind sudo the actor is who called it, and never nobody', () => {
  vi.stubEnv('SUDO_USER', 'asha');
  expect(currentActor()).toBe('asha');
  vi.stubEnv('SUDO_USER', '');
  expect(currentActor()).not.toBe('');
  vi.unstubAllEnvs();
});
