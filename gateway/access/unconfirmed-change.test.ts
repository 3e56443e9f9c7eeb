import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { changeAccess, countUnconfirmedChanges, gatewayLeaseMs, heardWithinMs } from '#shared/database/access.ts';
import { changeAccessOf, revokeKey } from '#gateway/test/access.ts';
import { openDatabaseLink } from '#gateway/test/database-link.ts';
import { spawnWithRetries } from '#gateway/test/process.ts';
import { createCustomer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';
import { freePort } from '#shared/platform/free-ports.ts';

/** Live gateways that receive no notifications: one whose notifications get lost, and one whose process is stopped. */
let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

interface DeafGateway {
  url: string;
  journal: string;
  /** It receives no notifications from now on. */
  loseNotifications: () => void;
  close: () => Promise<void>;
}

let deafGateways = 0;
async function startDeafGateway(): Promise<DeafGateway> {
  const journals = async (): Promise<string[]> => {
    const gateways = await harness.database.pool.query<{ journal_id: string }>('select journal_id from gateways');
    return gateways.rows.map((row) => row.journal_id);
  };
  const { loseNotifications, databaseUrl, close: closeLink } = await openDatabaseLink(harness.database.databaseUrl);
  const before = await journals();
  const dataDir = `${harness.setup.dataDir}/deaf-${(deafGateways += 1)}`;
  const gateway = await startTestGateway({ ...harness.setup, databaseUrl, dataDir });
  const journal = (await journals()).find((each) => !before.includes(each)) ?? '';
  const close = async (): Promise<void> => {
    await gateway.close();
    await closeLink();
  };
  return { url: gateway.url, journal, loseNotifications, close };
}

test('concurrent changes are numbered without gaps', async () => {
  const { pool, db } = harness.database;
  const { activationId } = await createCustomer(pool);
  const before = await newestVersion();
  await Promise.all(Array.from({ length: 30 }, () => changeAccessOf(harness.database, activationId, async () => {})));
  expect((await newestVersion()) - before).toBe(30);
  // A change that is rolled back uses no number.
  const failing = changeAccess({ db, log: { error: () => {} } }, (change) => {
    change.announce(activationId);
    return Promise.reject(new Error('rolled back'));
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await newestVersion()).toBe(before + 30);
});

/** Revokes the key of a new customer while a new gateway receives no notifications. */
async function revokeUnheard() {
  const { db, pool } = harness.database;
  const customer = await createCustomer(pool);
  const deaf = await startDeafGateway();
  await expect.poll(async () => (await harness.call(customer.key, { url: deaf.url })).status).toBe(200);
  const countedBefore = await countUnconfirmedChanges(db);
  deaf.loseNotifications();
  const errors: { gateways?: string[] }[] = [];
  const log = { error: (about: object) => void errors.push(about) };
  // Long enough for the other gateway to confirm, too short for this one to reconnect.
  const { effectiveBy } = await changeAccess(
    { db, log },
    async (change) => {
      change.announce(customer.activationId);
      await change.tx
        .updateTable('api_keys')
        .set({ revoked_at: new Date() })
        .where('id', '=', customer.keyId)
        .execute();
    },
    heardWithinMs / 2,
  );
  const returnedAt = Date.now();
  const counted = (await countUnconfirmedChanges(db)) - countedBefore;
  return { customer, deaf, errors, effectiveBy, returnedAt, counted };
}

test('a gateway that confirms no change is logged and counted, and refuses the key by the announced time', async () => {
  let revoked = await revokeUnheard();
  const isOnlyDeaf = ({ errors, deaf }: typeof revoked) => isDeepStrictEqual(errors[0]?.gateways, [deaf.journal]);
  // If this machine stands still meanwhile, the other gateway doesn't confirm in time either, or this one reconnects.
  for (let more = 0; more < 10 && !isOnlyDeaf(revoked); more += 1) {
    await revoked.deaf.close();
    revoked = await revokeUnheard();
  }
  const { customer, deaf, errors, effectiveBy, returnedAt, counted } = revoked;
  onTestFinished(deaf.close);
  expect(errors).toEqual([
    expect.objectContaining({ gateways: [deaf.journal], activations: [customer.activationId], effectiveBy }),
  ]);
  if (effectiveBy === null) throw new Error('the deaf gateway confirmed the change');
  expect(Date.parse(effectiveBy) - returnedAt).toBeLessThanOrEqual(gatewayLeaseMs + heardWithinMs);
  const gateways = await harness.database.pool.query<{ journal_id: string }>(
    'select journal_id from gateways where journal_id = $1 and unconfirmed_changes = 1',
    [deaf.journal],
  );
  expect(gateways.rows).toHaveLength(1);
  expect(counted).toBe(1);
  await sleep(Math.max(0, Date.parse(effectiveBy) - Date.now()));
  expect((await harness.call(customer.key, { url: deaf.url })).status).toBe(401);
});

test('a gateway that receives no notifications reconnects in time to confirm a change with a long timeout', async () => {
  const { db, pool } = harness.database;
  const deaf = await startDeafGateway();
  onTestFinished(deaf.close);
  deaf.loseNotifications();
  const customer = await createCustomer(pool);
  await expect.poll(async () => (await harness.call(customer.key, { url: deaf.url })).status).toBe(200);
  const { effectiveBy } = await changeAccess(
    { db, log: { error: () => {} } },
    async (change) => {
      change.announce(customer.activationId);
      await change.tx
        .updateTable('api_keys')
        .set({ revoked_at: new Date() })
        .where('id', '=', customer.keyId)
        .execute();
    },
    60_000,
  );
  expect(effectiveBy).toBe(null);
  expect((await harness.call(customer.key, { url: deaf.url })).status).toBe(401);
});

test('a stopped process delays a change by its lease, and refuses the key when it continues', async () => {
  const customer = await createCustomer(harness.database.pool);
  const setup = { ...harness.setup, dataDir: `${harness.setup.dataDir}/stopped` };
  const stopped = await spawnWithRetries(setup, await freePort());
  try {
    expect((await harness.call(customer.key, { url: stopped.url })).status).toBe(200);
    stopped.child.kill('SIGSTOP');
    await revokeKey(harness.database, customer.activationId, customer.keyId);
    stopped.child.kill('SIGCONT');
    expect((await harness.call(customer.key, { url: stopped.url })).status).toBe(401);
  } finally {
    stopped.child.kill('SIGCONT');
    await stopped.stop();
  }
});

async function newestVersion(): Promise<number> {
  const newest = await harness.database.pool.query<{ version: number }>(
    'select max(version) as version from access_changes',
  );
  return newest.rows[0]?.version ?? 0;
}
