import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
const terminal = captureTerminal();
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.databaseUrl);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const mark = (setback: 'WENT_BACK' | 'MOVED') =>
  database.db.updateTable('installation').set({ setback, setback_reason: 'went elsewhere' }).execute();

const installationId = () => database.db.selectFrom('installation').select('id').executeTakeFirstOrThrow();

test('a database that went back is refused by commands until it is finished, with the rights of the portal', async () => {
  await mark('WENT_BACK');
  expect(await run(['waiting'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('This database went elsewhere');
  expect(terminal.errors).toContain('octroi restore --finish');
  expect(await run(['restore', '--finish', '--nothing-lost'])).toBe(exitCodes.failed);
  expect(await run(['restore', '--finish'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('The ledger is correct.');
  expect(terminal.out).toContain('closed: RECEIPT_VOUCHER, INVOICE');
  expect(await run(['waiting'])).toBe(exitCodes.done);

  // Nothing waits any more: a second time only on purpose.
  expect(await run(['restore', '--finish'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('octroi restore --finish --yes');
  expect(await run(['restore', '--finish', '--yes'])).toBe(exitCodes.done);
});

test('of a database that a process holds for older the operator may say that it lacks nothing', async () => {
  const before = await installationId();
  await mark('WENT_BACK');
  expect(await run(['restore', '--finish', '--nothing-lost', '--yes'])).toBe(exitCodes.done);
  expect(await run(['waiting'])).toBe(exitCodes.done);
  expect(await installationId()).not.toEqual(before);
});

test('a fail-over is finished before a portal has run since', async () => {
  await sql`update installation set runs_on = replace(database_place(), '/00000001/', '/00000009/')`.execute(
    database.db,
  );
  terminal.out = '';
  expect(await run(['waiting'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('the database moved to other data of PostgreSQL');
  expect(await run(['restore', '--finish', '--nothing-lost'])).toBe(exitCodes.done);
  terminal.errors = '';
  expect(await run(['restore', '--finish', '--nothing-lost'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('nothing was ended');
});

test('after a fail-over that lost nothing, nothing is ended', async () => {
  await mark('MOVED');
  terminal.out = '';
  expect(await run(['waiting'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('the database went elsewhere');
  expect(await run(['restore', '--finish', '--nothing-lost'])).toBe(exitCodes.done);
  terminal.out = '';
  expect(await run(['waiting'])).toBe(exitCodes.done);
  expect(terminal.out).not.toContain('the database');
});

test('a restore has either a file or --finish', async () => {
  for (const words of [
    ['restore'],
    ['restore', 'a-file', '--finish'],
    ['restore', 'a-file', '--nothing-lost'],
    ['restore', 'a-file', '--yes'],
  ])
    expect(await run(words)).toBe(exitCodes.usage);
});
