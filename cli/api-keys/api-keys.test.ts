import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { startTestGateways, type TestGateways } from '#cli/test-gateways.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { createApiKey, listApiKeys } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { countWaiting } from '#shared/database/test-database.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import { revokeSoughtKey } from '#server/features/api-keys/operator.ts';
import type { TestPortal } from '#server/test/portal.ts';

let gateways: TestGateways;
let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  // Its free plan refuses no call of these tests.
  gateways = await startTestGateways(3, {
    'tax-lookup-api': {
      'plans.free.rps': '100000',
      'plans.free.dailyQuota': '1000000',
      'plans.free.monthlyQuota': '10000000',
    },
  });
  portal = gateways.portal;
});
afterAll(() => gateways.close());

/** A customer with two keys. */
async function withKeys() {
  const token = await portal.newCustomer();
  const { activationId } = await portal.ask(activatePlan, { params: { id: 'tax-lookup-api', planId: 'free' } }, token);
  const params = { activationId };
  const make = (keyName: string) => portal.ask(createApiKey, { params, body: { keyName, isTest: false } }, token);
  return { token, params, leaked: await make('old'), other: await make('new') };
}

test('a leaked key is found by its beginning, and refused by three gateways from the next call on after one command', async () => {
  const { token, params, leaked, other } = await withKeys();
  const beginning = leaked.apiKey.slice(0, 16);
  expect(await run(['keys', 'find', `${beginning}…`])).toBe(exitCodes.done);
  expect(terminal.out).toContain(leaked.id);
  expect(terminal.out).not.toContain(leaked.apiKey);
  expect(terminal.out).not.toContain(other.id);

  let revoked = false;
  let accepted = 0;
  let late = 0;
  let refused = 0;
  const caller = async (turn: number): Promise<void> => {
    for (;;) {
      const isAfter = revoked;
      const status = await gateways.call(turn, leaked.apiKey);
      if (status === '200 ok') accepted += 1;
      if (status === '200 ok' && isAfter) late += 1;
      if (status.startsWith('401 ') && isAfter) refused += 1;
      if (isAfter) return;
    }
  };
  const callers = Promise.all([0, 1, 2, 3, 4, 5].map(caller));
  await vi.waitUntil(() => accepted > 10, { timeout: 60_000, interval: 5 });
  const words = ['keys', 'revoke', beginning, '--reason', 'Found in a public repository', '--actor', 'asha'];
  expect(await run([...words, '--dry-run'])).toBe(exitCodes.done);
  expect(await gateways.call(0, leaked.apiKey)).toBe('200 ok');
  terminal.out = '';
  expect(await run([...words, '--yes', '--json'])).toBe(exitCodes.done);
  revoked = true;
  await callers;
  expect([late, refused]).toEqual([0, 6]);
  expect(JSON.parse(terminal.out)).toMatchObject({
    revoked: true,
    effectiveBy: null,
    key: { id: leaked.id, revokedAt: expect.stringMatching(/^\d{4}-/) },
  });
  expect(await gateways.callEach(other.apiKey)).toEqual(['200 ok', '200 ok', '200 ok']);

  // The customer sees it, with the reason.
  const keys = await portal.ask(listApiKeys, { params }, token);
  expect(keys.map(({ id, isRevoked }) => [id, isRevoked])).toEqual([
    [other.id, false],
    [leaked.id, true],
  ]);
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions).toMatchObject([
    { action: 'keys.revoke', target: leaked.id, reason: 'Found in a public repository' },
  ]);
  const mail = await portal.portal.db.selectFrom('mails').selectAll().orderBy('created_at', 'desc').execute();
  expect(mail.filter(({ subject }) => subject === 'We revoked your API key old')).toMatchObject([
    { body_text: expect.stringContaining('Reason: Found in a public repository') },
  ]);
  const stranger = await portal.newCustomer();
  expect((await portal.ask(readAccount, {}, stranger)).providerActions).toEqual([]);
  expect(await listActions(portal.portal.db, { limit: 1 })).toMatchObject([
    { actor: 'asha', action: 'keys.revoke', target: leaked.id, effect: { activationId: params.activationId } },
  ]);
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

const revoke = (sought: string) => run(['keys', 'revoke', sought, '--reason', 'A test', '--yes']);

const find = async (sought: string): Promise<string[]> => {
  terminal.out = '';
  expect(await run(['keys', 'find', sought, '--json'])).toBe(exitCodes.done);
  return z
    .object({ keys: z.array(z.object({ id: z.string() })) })
    .parse(JSON.parse(terminal.out))
    .keys.map(({ id }) => id);
};

test('a key is found by its id and by the whole key; what is no key, or several, is refused', async () => {
  const { leaked, other } = await withKeys();
  expect(await find(leaked.id)).toEqual([leaked.id]);
  expect(await find(other.apiKey)).toEqual([other.id]);
  expect(await run(['keys', 'find', 'gstk_live_'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is not a key');
  expect(await revoke('KEY-nobody')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no such key');
  expect(await revoke(leaked.apiKey)).toBe(exitCodes.done);
  expect(await revoke(leaked.apiKey)).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('is revoked already');
});

test('the keys of a customer are listed without a secret, and an unknown customer is refused', async () => {
  const { token, leaked, other } = await withKeys();
  const { user } = await portal.ask(readAccount, {}, token);
  expect(await run(['keys', 'list', user.id])).toBe(exitCodes.done);
  for (const { id, apiKey } of [leaked, other]) {
    expect(terminal.out).toContain(id);
    expect(terminal.out).not.toContain(apiKey);
  }
  expect(terminal.out.match(/ {2}in use$/gm)).toHaveLength(2);
  const end = (id: string, at: Date) =>
    portal.portal.db.updateTable('api_keys').set({ expires_at: at }).where('id', '=', id).execute();
  await end(leaked.id, new Date(portal.portal.clock() - 1));
  await end(other.id, new Date(portal.portal.clock() + 86_400_000));
  terminal.out = '';
  expect(await run(['keys', 'list', user.id])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(new RegExp(`^${leaked.id} .* {2}expired 2.* IST$`, 'm'));
  expect(terminal.out).toMatch(new RegExp(`^${other.id} .* {2}in use until 2.* IST$`, 'm'));
  const stranger = await portal.ask(readAccount, {}, await portal.newCustomer());
  expect(await run(['keys', 'list', stranger.user.id])).toBe(exitCodes.done);
  expect(terminal.out).toContain('No key found.');
  expect(await run(['keys', 'list', 'CUS-nobody'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no customer CUS-nobody');
});

test('of two operators who revoke a key at once, the second reads that it is revoked already and leaves no trace', async () => {
  const { leaked } = await withKeys();
  const { db } = portal.portal;
  const tx = await db.startTransaction().execute();
  await tx.selectFrom('api_keys').select('id').where('id', '=', leaked.id).forUpdate().execute();
  const both = ['asha', 'bela'].map((actor) => revokeSoughtKey(portal.portal, leaked.id, { actor, reason: 'A test' }));
  const done = Promise.allSettled(both);
  await expect.poll(() => countWaiting(db)).toBe(2);
  await tx.commit().execute();
  const results = await done;
  const refused = results.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  expect(refused).toEqual([expect.stringMatching(/is revoked already, since 2/)]);
  const actions = db.selectFrom('operator_actions').select('actor').where('target', '=', leaked.id);
  expect(await actions.execute()).toHaveLength(1);
});

test('the verifier finds an action in the audit log that was changed behind its triggers', async () => {
  const { db } = portal.portal;
  await portal.owner.db.connection().execute(async (session) => {
    await sql`set session_replication_role = replica`.execute(session);
    await sql`update operator_actions set reason = 'Nothing' where position = 1`.execute(session);
    await sql`set session_replication_role = default`.execute(session);
  });
  expect((await verifyLedgerOf(db)).faults).toEqual([
    'the audit log of operators: action 1 of an operator has been changed',
  ]);
});
