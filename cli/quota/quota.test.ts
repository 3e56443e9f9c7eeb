import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { startTestGateways, type TestGateways } from '#cli/test-gateways.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { maxRaise } from '#shared/domain/raised-quota.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import type { TestPortal } from '#server/test/portal.ts';

let gateways: TestGateways;
let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  gateways = await startTestGateways(3, {
    'tax-lookup-api': { 'plans.free.rps': '1000', 'plans.free.dailyQuota': '20', 'plans.free.monthlyQuota': '30' },
  });
  portal = gateways.portal;
});
afterAll(() => gateways.close());

async function newCaller() {
  const token = await portal.newCustomer();
  const free = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { activationId, billingCycleId: cycleId = '' } = await portal.ask(activatePlan, free, token);
  const body = { keyName: 'a', isTest: false };
  const { apiKey } = await portal.ask(createApiKey, { params: { activationId }, body }, token);
  return { token, activationId, cycleId, apiKey };
}

/** Calls through all gateways in turn; returns how many were let through. */
async function callAll(apiKey: string, calls: number): Promise<number> {
  let through = 0;
  for (let call = 0; call < calls; call += 1) {
    if ((await gateways.call(call, apiKey)) === '200 ok') through += 1;
  }
  return through;
}

const set = (cycleId: string, add: string, ...more: string[]) =>
  run(['quota', 'set', cycleId, `--add=${add}`, '--reason', 'Migration', '--actor', 'asha', ...more]);

test('a raised quota lets exactly as many more calls through at once, on every gateway, and what was sold stays', async () => {
  const { token, cycleId, apiKey } = await newCaller();
  expect(await callAll(apiKey, 25)).toBe(20);
  expect(await set(cycleId, '7', '--dry-run')).toBe(exitCodes.done);
  expect(terminal.out).toContain('a day:  20 → 27');
  expect(await set(cycleId, '7')).toBe(exitCodes.usage);
  expect(await callAll(apiKey, 3)).toBe(0);
  terminal.out = '';
  expect(await set(cycleId, '7', '--yes', '--json')).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({
    changed: true,
    daily: 27,
    monthly: 37,
    raised: 7,
    effectiveBy: null,
  });
  expect(await callAll(apiKey, 12)).toBe(7);

  const { db } = portal.portal;
  const sold = await db.selectFrom('cycles').select(['daily_quota', 'plan']).where('id', '=', cycleId).execute();
  expect(sold).toMatchObject([{ daily_quota: 20, plan: { dailyQuota: 20 } }]);
  const [activation] = (await portal.ask(listActivations, {}, token)).activations;
  expect(activation?.billingCycles).toMatchObject([{ dailyQuota: 27, monthlyQuota: 37, raisedUnits: 7 }]);
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions).toMatchObject([{ action: 'quota.set', target: cycleId, reason: 'Migration' }]);
  expect(await listActions(db, { limit: 1 })).toMatchObject([{ actor: 'asha', effect: { units: 7, raised: 7 } }]);
  const mails = await db.selectFrom('mails').select('subject').where('subject', 'like', 'We raised%').execute();
  expect(mails).toEqual([{ subject: 'We raised the quota of your plan Free by 7' }]);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});

test('units are taken back down to what is used and never below what was sold, also under load', async () => {
  const { cycleId, apiKey } = await newCaller();
  expect(await set(cycleId, '-1', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('Only what operators added can be taken back');
  expect(await set(cycleId, '10', '--yes')).toBe(exitCodes.done);
  const calling = callAll(apiKey, 60);
  const taken: number[] = [];
  for (const add of ['-2', '-2', '-2', '-2', '-2']) taken.push(await set(cycleId, add, '--yes'));
  const through = await calling;
  const refused = taken.filter((code) => code !== exitCodes.done).length;
  // What could be taken back was not used, and what was used could not.
  expect(through + (await callAll(apiKey, 10))).toBe(20 + 2 * refused);
  expect(through).toBeGreaterThanOrEqual(20);
  const used = await newCaller();
  expect(await set(used.cycleId, '10', '--yes')).toBe(exitCodes.done);
  expect(await callAll(used.apiKey, 40)).toBe(30);
  for (const how of ['--dry-run', '--yes']) {
    terminal.errors = '';
    expect(await set(used.cycleId, '-1', how)).toBe(exitCodes.failed);
    expect(terminal.errors).toContain("The quota can't be lowered by 1: more than that is used");
  }
  expect((await verifyLedgerOf(portal.portal.db)).faults).toEqual([]);
});

test('what is no number, no plan or not in the audit log is refused', async () => {
  const { cycleId } = await newCaller();
  for (const add of ['', 'many', '1.5', '1e3']) expect(await set(cycleId, add, '--yes')).toBe(exitCodes.usage);
  for (const add of ['0', '2000000000']) expect(await set(cycleId, add, '--yes')).toBe(exitCodes.failed);
  expect(await set('CYC-nobody', '5', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no plan CYC-nobody');
  const { cycleId: fullId } = await newCaller();
  expect(await set(fullId, '1000000000', '--yes')).toBe(exitCodes.done);
  expect(await set(fullId, '1', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('No more units can be added: operators have added 1000000000, the most.');
  const { db } = portal.portal;
  await expect(
    sql`insert into quota_raises (cycle_id, customer_id, units, reason, made_at)
      select id, customer_id, 5, 'By SQL', now() from cycles where id = ${cycleId}`.execute(db),
  ).rejects.toThrow('is not in the audit log');
  expect(await set(cycleId, '5', '--yes')).toBe(exitCodes.done);
  // The entry of another raise with the same words is not that of this one.
  const copied = sql`insert into quota_raises (cycle_id, customer_id, units, reason, made_at)
    select cycle_id, customer_id, units, reason, now() from quota_raises where cycle_id = ${cycleId}`;
  await expect(copied.execute(db)).rejects.toThrow('is not in the audit log');
  const twice = db.transaction().execute(async (tx) => {
    await copied.execute(tx);
    await sql`insert into operator_actions (actor, action, target, customer_id, reason, effect)
      select actor, action, target, customer_id, reason, effect from operator_actions where target = ${cycleId}`.execute(
      tx,
    );
  });
  await expect(twice).rejects.toThrow('is not in the audit log');
  await expect(sql`update quota_raises set units = 6`.execute(portal.owner.db)).rejects.toThrow('never changed');
});

test('the database refuses more than the largest raise, and a raise of a plan that is over', async () => {
  const { cycleId } = await newCaller();
  const { db } = portal.portal;
  const raise = (units: number, at = sql`now()`) =>
    db.transaction().execute(async (tx) => {
      await sql`with raised as (
          insert into quota_raises (cycle_id, customer_id, units, reason, made_at)
          select id, customer_id, ${units}, 'By SQL', ${at} from cycles where id = ${cycleId} returning *)
        insert into operator_actions (actor, action, target, customer_id, reason, effect)
        select 'asha', 'quota.set', cycle_id, customer_id, reason, jsonb_build_object('units', units, 'raiseId', id::text) from raised`.execute(
        tx,
      );
    });
  await expect(raise(maxRaise + 1)).rejects.toThrow('cannot be raised');
  await raise(maxRaise);
  await expect(raise(1)).rejects.toThrow('cannot be raised');
  await raise(-1);
  for (const units of [1, -1]) await expect(raise(units, sql`now() + interval '400 days'`)).rejects.toThrow('is over');
  await raise(1);
});
