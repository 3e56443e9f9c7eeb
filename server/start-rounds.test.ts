import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openClient } from '#shared/database/clients.ts';
import { startTestPortal } from './test/portal.ts';

test('stopping a portal waits for its running round, which ends without an error', async () => {
  const portal = await startTestPortal({ rounds: true, env: { STANDINS: 'yes' } });
  const blocker = openClient({ connectionString: portal.portal.settings.databaseUrl });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table cycles in access exclusive mode');
  const waiting = async () => {
    const { rows } = await blocker.query<{ count: string }>(
      `select count(*) from pg_locks where database = (select oid from pg_database where datname = current_database()) and relation = 'cycles'::regclass and not granted`,
    );
    return Number(rows[0]?.count);
  };
  // Other jobs may wait for the table as well; the round alone holds this lock as long as it runs.
  const roundsLock = Buffer.from('roun').readUInt32BE();
  const isRunning = async () => {
    const { rows } = await blocker.query(
      `select from pg_locks where database = (select oid from pg_database where datname = current_database()) and locktype = 'advisory' and objid = $1`,
      [roundsLock],
    );
    return rows.length > 0;
  };
  await expect.poll(isRunning).toBe(true);
  await expect.poll(waiting).toBeGreaterThan(0);
  const destroyed = new Promise((resolve) => {
    const { db } = portal.portal;
    const destroy = db.destroy.bind(db);
    vi.spyOn(db, 'destroy').mockImplementation(() => {
      resolve('destroyed');
      return destroy();
    });
  });
  // The test database closes only after this client has; otherwise the client would be cut off.
  const closing = portal.close();
  expect(await Promise.race([destroyed, sleep(3000, 'waits')])).toBe('waits');
  expect(await isRunning()).toBe(true);
  await blocker.query('rollback');
  await blocker.end();
  await closing;
  expect(portal.logLines.filter((line) => line.includes('a round failed'))).toEqual([]);
});
