import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { openClient } from '#shared/database/clients.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { dropTestRoles } from '#shared/database/test-roles.ts';

const prefix = `cli_${randomBytes(4).toString('hex')}`;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await dropTestRoles(database.owner.databaseUrl, prefix);
  await database.close();
});

const terminal = captureTerminal();
beforeEach(() => {
  vi.stubEnv('DATABASE_URL', database.owner.databaseUrl);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const made = z.object({ roles: z.array(z.object({ role: z.string(), databaseUrl: z.string().nullable() })) });

test('three users are made once, and their addresses are printed once', async () => {
  expect(await run(['database', 'roles', '--prefix', prefix, '--json'])).toBe(exitCodes.done);
  const { roles } = made.parse(JSON.parse(terminal.out));
  expect(roles.map(({ role }) => role)).toEqual([`${prefix}_migrate`, `${prefix}_run`, `${prefix}_read`]);
  for (const { role, databaseUrl } of roles) {
    const client = openClient({ connectionString: databaseUrl ?? '' });
    await client.connect();
    expect(
      (await client.query('select current_user as role, (select count(*)::int from customers) as rows')).rows,
    ).toEqual([{ role, rows: 0 }]);
    await client.end();
  }
  terminal.out = '';
  expect(await run(['database', 'roles', '--prefix', prefix])).toBe(exitCodes.done);
  expect(terminal.out).toContain('exists, with its password as before');
  expect(terminal.out).not.toContain('DATABASE_URL=');
  terminal.out = '';
  expect(await run(['database', 'roles', '--prefix', prefix, '--new-passwords'])).toBe(exitCodes.done);
  expect(terminal.out.match(/DATABASE_URL=postgres:/g)).toHaveLength(3);
});

test('refuses a prefix that is no name, and the embedded database', async () => {
  expect(await run(['database', 'roles', '--prefix', 'x"; drop'])).toBe(exitCodes.usage);
  vi.stubEnv('DATABASE_URL', '');
  expect(await run(['database', 'roles'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('the embedded PostgreSQL has one user');
});
