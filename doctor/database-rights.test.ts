import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { examineOnly, problem } from './test-installation.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const examined = (databaseUrl: string) => examineOnly('database-rights', { DATABASE_URL: databaseUrl });

test('the users of octroi database roles, and the owner, may do what the processes need', async () => {
  for (const user of [database, database.owner])
    expect(await examined(user.databaseUrl)).toMatchObject([{ level: 'ok' }]);
});

test('names the tables in which the user of the processes lacks a right', async () => {
  await database.owner.pool.query('revoke update on refunds, mails from octroi_run');
  await database.owner.pool.query('revoke insert on pgboss.job from octroi_run');
  const findings = await examined(database.databaseUrl);
  expect(findings).toContainEqual(problem('octroi_run may not update mails, refunds.', 'octroi database roles'));
  expect(findings).toContainEqual(problem('octroi_run may not insert into pgboss.job.', 'octroi database roles'));
  expect(findings).toHaveLength(2);
});

test('names a user who may only read', async () => {
  const findings = await examined(database.readUrl);
  expect(findings).toContainEqual(
    problem('octroi_read may not insert into access_changes, accountants', 'octroi database roles'),
  );
  expect(findings).toContainEqual(problem('octroi_read may not read api_keys, ', 'octroi database roles'));
});

test('names what everybody may call, such as the user for reports', async () => {
  await database.owner.pool.query('grant execute on function drop_request_log_days(date) to public');
  expect(await examined(database.databaseUrl)).toContainEqual(
    problem('Every user of the database may call drop_request_log_days(date).', 'octroi database roles'),
  );
});
