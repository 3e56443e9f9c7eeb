import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { createLog } from '#shared/platform/log.ts';
import { runStep } from '#server/rounds/steps.ts';
import { examineOnly, problem } from './test-installation.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const examine = (name: 'timed-work' | 'jobs') => examineOnly(name, { DATABASE_URL: database.databaseUrl });

const endJob = (state: string, minutesAgo: number) =>
  database.owner.pool.query(
    `insert into pgboss.job (name, state, retry_limit, created_on, completed_on)
     values ('support-mail', $1, 0, now(), now() - make_interval(mins => $2))`,
    [state, minutesAgo],
  );

test('names timed work that fails, for whom, since when and why', async () => {
  expect(await examine('timed-work')).toMatchObject([{ level: 'ok' }]);
  const log = createLog('test', { level: 'silent' });
  for (const attempt of [1, 2, 3])
    await runStep({ db: database.db, log, machineClock: () => attempt * 3_600_000 }, 'quota reminders', ({ each }) =>
      each('CYC-1', () => Promise.reject(new Error('no quota'))),
    );
  await runStep({ db: database.db, log, machineClock: Date.now }, 'settlements', () =>
    Promise.reject(new Error('Razorpay is away')),
  );
  expect(await examine('timed-work')).toEqual([
    problem('“quota reminders” fails for CYC-1 since 1970-01-01T01:00:00.000Z, 3 times: no quota', 'tried again'),
    problem('“settlements” fails since', 'tried again', 'warning'),
  ]);
});

test('a job that is repeated by time was given up only if none of its kind has succeeded since', async () => {
  await endJob('failed', 10);
  expect(await examine('jobs')).toContainEqual(problem('1 jobs of the kind support-mail', 'a job failed', 'warning'));
  await endJob('completed', 5);
  expect(await examine('jobs')).toMatchObject([{ level: 'ok' }]);
});
