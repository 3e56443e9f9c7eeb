import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { startTestGateways, type TestGateways } from '#cli/test-gateways.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount } from '#shared/contract/account.ts';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';
import type { TestPortal } from '#server/test/portal.ts';

let gateways: TestGateways;
let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  gateways = await startTestGateways(2, { 'tax-lookup-api': { 'plans.growth.dailyQuota': '5' } });
  portal = gateways.portal;
});
afterAll(() => gateways.close());

async function newCustomer() {
  const token = await portal.newCustomer();
  return { token, id: (await portal.ask(readAccount, {}, token)).user.id };
}

const words = '--product tax-lookup-api --plan growth --days 7 --actor asha'.split(' ');
const order = (id: string, ...more: string[]) => ['grant', id, ...words, '--reason', 'Proof of concept', ...more];
const granted = z.object({ cycleId: z.string(), activationId: z.string(), effectiveBy: z.null() });
const today = () => dayOf(portal.portal.clock());

test('a granted plan has exactly its own quota, no order, document or revenue, and an end', async () => {
  const { token, id } = await newCustomer();
  expect(await run(order(id, '--dry-run'))).toBe(exitCodes.done);
  expect(terminal.out).toContain('The product is activated for the customer');
  expect((await portal.ask(listActivations, {}, token)).activations).toEqual([]);
  expect(await run(order(id))).toBe(exitCodes.usage);
  terminal.out = '';
  expect(await run(order(id, '--yes', '--json'))).toBe(exitCodes.done);
  const { cycleId, activationId } = granted.parse(JSON.parse(terminal.out));
  const { apiKey } = await portal.ask(
    createApiKey,
    { params: { activationId }, body: { keyName: 'a', isTest: false } },
    token,
  );
  const results: string[] = [];
  for (let turn = 0; turn < 8; turn += 1) results.push(await gateways.call(turn, apiKey));
  const [ok, used] = ['200 ok', '429 quota-exceeded'];
  expect(results).toEqual([ok, ok, ok, ok, ok, used, used, used]);

  const [activation] = (await portal.ask(listActivations, {}, token)).activations;
  expect(activation?.billingCycles).toMatchObject([
    { id: cycleId, granted: 'Proof of concept', price: 0, fromDate: today(), toDate: addDays(today(), 7) },
  ]);
  const history = await portal.ask(listHistory, { params: { id: activationId } }, token);
  expect(history).toMatchObject([
    { granted: 'Proof of concept', amount: 0, invoiceId: null, documents: [], payments: [] },
  ]);
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions).toMatchObject([{ action: 'plans.grant', target: cycleId, reason: 'Proof of concept' }]);
  terminal.out = '';
  expect(await run(['customers', 'show', id])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`(GRANTED, ${cycleId})`);
  const { db } = portal.portal;
  expect(await listActions(db, { limit: 1 })).toMatchObject([{ actor: 'asha', effect: { planId: 'growth' } }]);
  for (const table of ['order_cycles', 'documents', 'ledger_entries'] as const)
    expect(await db.selectFrom(table).select('customer_id').where('cycle_id', '=', cycleId).execute()).toEqual([]);
  expect(
    await db
      .selectFrom('quota_counters')
      .select('kind')
      .where('customer_id', '=', id)
      .where('kind', '>=', 'free-day')
      .execute(),
  ).toEqual([]);
  const mails = await db.selectFrom('mails').select('subject').where('customer_id', '=', id).execute();
  expect(mails).toEqual([{ subject: 'We granted you the plan Growth of Tax Lookup API' }]);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});

test('a granted plan ends a free one that runs, and never overlaps a plan that stays', async () => {
  const { token, id } = await newCustomer();
  const free = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { billingCycleId } = await portal.ask(activatePlan, free, token);
  expect(await run(order(id, '--dry-run'))).toBe(exitCodes.done);
  expect(terminal.out).toContain(`(${billingCycleId}) ends for it`);
  expect(await run(order(id, '--yes'))).toBe(exitCodes.done);
  expect(await run(order(id, '--yes'))).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`--from ${addDays(today(), 7)}`);
  expect(await run(order(id, '--from', addDays(today(), 7), '--yes'))).toBe(exitCodes.done);
  const { db } = portal.portal;
  const cycles = await db
    .selectFrom('cycles')
    .select(['status', 'granted_reason', 'from_date'])
    .where('customer_id', '=', id)
    .orderBy('from_date')
    .orderBy('granted_reason')
    .execute();
  expect(cycles).toEqual([
    { status: 'NO_PAYMENT_REQUIRED', granted_reason: 'Proof of concept', from_date: today() },
    { status: 'DEACTIVATED', granted_reason: null, from_date: today() },
    { status: 'NO_PAYMENT_REQUIRED', granted_reason: 'Proof of concept', from_date: addDays(today(), 7) },
  ]);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});

const end = (cycle: string, ...more: string[]) =>
  run(['withdraw', cycle, '--actor', 'asha', '--reason', 'The trial is over', ...more]);

test('a granted plan ends early on every gateway at once, or before it begins; other plans don’t', async () => {
  const { token, id } = await newCustomer();
  expect(await run(order(id, '--yes', '--json'))).toBe(exitCodes.done);
  const { cycleId, activationId } = granted.parse(JSON.parse(terminal.out));
  const key = { params: { activationId }, body: { keyName: 'a', isTest: false } };
  const { apiKey } = await portal.ask(createApiKey, key, token);
  expect(await gateways.callEach(apiKey)).toEqual(['200 ok', '200 ok']);
  expect(await end(cycleId, '--dry-run')).toBe(exitCodes.done);
  expect(await end(cycleId)).toBe(exitCodes.usage);
  expect(await gateways.callEach(apiKey)).toEqual(['200 ok', '200 ok']);
  expect(await end(cycleId, '--yes')).toBe(exitCodes.done);
  expect(await gateways.callEach(apiKey)).toEqual(['402 no-running-plan', '402 no-running-plan']);
  expect(await end(cycleId, '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('has ended already');
  const { providerActions } = await portal.ask(readAccount, {}, token);
  expect(providerActions[0]).toMatchObject({
    action: 'plans.withdraw',
    target: cycleId,
    reason: 'The trial is over',
  });
  const { db } = portal.portal;
  const mails = await db.selectFrom('mails').select('subject').where('customer_id', '=', id).execute();
  expect(mails.map(({ subject }) => subject)).toContain('We ended the granted plan Growth of Tax Lookup API');

  terminal.out = '';
  expect(await run(order(id, '--from', addDays(today(), 9), '--yes', '--json'))).toBe(exitCodes.done);
  expect(await end(granted.parse(JSON.parse(terminal.out)).cycleId, '--yes')).toBe(exitCodes.done);
  const cycles = await db.selectFrom('cycles').select('status').where('customer_id', '=', id).execute();
  expect(cycles).toEqual([{ status: 'DEACTIVATED' }, { status: 'DEACTIVATED' }]);
  const free = await newCustomer();
  const plan = { params: { id: 'tax-lookup-api', planId: 'free' } };
  const { billingCycleId } = await portal.ask(activatePlan, plan, free.token);
  expect(await end(billingCycleId ?? '', '--yes')).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('was not granted');
  expect(await end('CYC-nobody', '--yes')).toBe(exitCodes.failed);
  expect((await verifyLedgerOf(db)).faults).toEqual([]);
});

test('a grant without a reason, an end, a plan or a customer is refused, by the database too', async () => {
  const { id } = await newCustomer();
  const whole = order(id, '--yes');
  const without = (name: string) => whole.filter((word, at) => word !== name && whole[at - 1] !== name);
  for (const name of ['--days', '--reason', '--plan', '--product'])
    expect(await run(without(name))).toBe(exitCodes.usage);
  for (const days of ['0', '-1', 'seven', '1000']) expect(await run([...without('--days'), `--days=${days}`])).toBe(2);
  expect(await run([...without('--days'), '--days', '367'])).toBe(exitCodes.failed);
  expect(await run([...without('--plan'), '--plan', 'huge'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('has no plan huge. It has: ');
  expect(await run([...whole, '--from', '2020-01-01'])).toBe(exitCodes.failed);
  for (const from of ['soon', '2026-11-31']) {
    expect(await run([...whole, '--from', from])).toBe(exitCodes.usage);
    expect(terminal.errors).toContain(`${from} is not a day. Write it like 2026-11-20.`);
  }
  for (const from of ['2206-12-01', '9999-12-31']) {
    terminal.errors = '';
    expect(await run([...whole, '--from', from])).toBe(exitCodes.failed);
    expect(terminal.errors).toContain('The first day is within 366 days');
  }
  expect(await run(order('CUS-nobody', '--yes'))).toBe(exitCodes.failed);
  terminal.out = '';
  expect(await run([...whole, '--json'])).toBe(exitCodes.done);
  const { cycleId } = granted.parse(JSON.parse(terminal.out));
  const { db } = portal.portal;
  const change = db.updateTable('cycles').where('id', '=', cycleId);
  await expect(change.set({ granted_reason: 'Another' }).execute()).rejects.toThrow('never changed');
  await expect(
    sql`insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure, price_paise, daily_quota,
          monthly_quota, rps, created_at, granted_reason)
        select 'CYC-copy', activation_id, customer_id, service_id, status, from_date + 99, to_date + 99, plan, tenure, price_paise, daily_quota,
          monthly_quota, rps, created_at, granted_reason from cycles where id = ${cycleId}`.execute(db),
  ).rejects.toThrow('is not in the audit log');
});
