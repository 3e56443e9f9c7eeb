import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { startTestGateways, type TestGateways } from '#cli/test-gateways.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { readAccount, updateProfile } from '#shared/contract/account.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { payLater, readCredit } from '#shared/contract/credit.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { runRounds } from '#server/start-rounds.ts';
import type { TestPortal } from '#server/test/portal.ts';

let gateways: TestGateways;
let portal: TestPortal;
const terminal = captureTerminal();
beforeAll(async () => {
  gateways = await startTestGateways(2);
  portal = gateways.portal;
});
afterAll(() => gateways.close());

const dayMs = 86_400_000;
const because = ['--reason', 'Framework contract 7', '--actor', 'asha'];
const two = (result: string) => [result, result];

test('days that are not given stay as they are', async () => {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const terms = (...words: string[]) => run(['customers', 'terms', user.id, ...words, ...because, '--yes']);
  expect(await terms('--limit', '4000')).toBe(exitCodes.done);
  expect(terminal.out).toContain('within 30 days; plans that are not paid stop 15 days after that');
  expect(await terms('--limit', '5000', '--days', '60', '--stop-after', '20')).toBe(exitCodes.done);
  terminal.out = '';
  expect(await terms('--limit', '10000')).toBe(exitCodes.done);
  expect(terminal.out).toContain('up to ₹10,000 at once, within 60 days; plans that are not paid stop 20 days after');
});

test('terms let a business pay later; when a bill is overdue for too long its plan stops, and goes on at once when it is paid, also after it was written off', async () => {
  const token = await portal.newCustomer();
  const { user } = await portal.ask(readAccount, {}, token);
  await portal.ask(updateProfile, { body: businessProfile }, token);
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, plan, token);
  const key = await portal.ask(
    createApiKey,
    { params: { activationId }, body: { keyName: 'live', isTest: false } },
    token,
  );
  const terms = ['customers', 'terms', user.id, '--limit', '5000', '--days', '3', '--stop-after', '2', ...because];
  expect(await run([...terms, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('From now on it may pay later: up to ₹5,000 at once, within 3 days');
  expect(await gateways.callEach(key.apiKey)).toEqual(two('402 no-running-plan'));
  expect(await run([...terms, '--yes'])).toBe(exitCodes.done);
  await portal.ask(payLater, { params: { activationId }, body: { billingCycleId } }, token);
  expect(await gateways.callEach(key.apiKey)).toEqual(two('200 ok'));
  for (let day = 0; day < 6; day += 1) {
    await runRounds(portal.portal);
    portal.moveClock(dayMs);
  }
  await runRounds(portal.portal);
  // The gateways have a clock of their own: for them the bill is made older, and read for a key that they don't know yet.
  await portal.owner.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx);
    await sql`update credit_bills set billed_on = billed_on - 6, due_on = due_on - 6, stops_on = stops_on - 6`.execute(
      tx,
    );
  });
  const body = { keyName: 'late', isTest: false };
  const late = await portal.ask(createApiKey, { params: { activationId }, body }, token);
  expect(await gateways.callEach(late.apiKey)).toEqual(two('402 no-running-plan'));
  expect(await portal.ask(readCredit, {}, token)).toMatchObject({ bills: [{ state: 'STOPPED' }] });
  const { db } = portal.portal;
  const mails = await db.selectFrom('mails').select('subject').where('customer_id', '=', user.id).execute();
  const subjects = mails.map(({ subject }) => subject);
  for (const start of ['Payment due soon', 'Payment due today', 'Payment overdue', 'API calls stopped'])
    expect(subjects.filter((subject) => subject.startsWith(start))).toHaveLength(1);
  terminal.out = '';
  expect(await run(['customers', 'bills', user.id])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/₹1,499 {2}due on \S+ {2}STOPPED/);
  const writeOff = ['customers', 'write-off', billingCycleId, '--reason', 'In liquidation', '--actor', 'asha'];
  expect(await run([...writeOff, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/₹1,499 was due on \S+\.\s+Nothing of it is due any more/);
  expect(await run([...writeOff, '--yes'])).toBe(exitCodes.done);
  expect(await run([...writeOff, '--yes'])).toBe(exitCodes.failed);
  expect(await run(['customers', 'bills', user.id])).toBe(exitCodes.done);
  expect(terminal.out).toMatch(/₹1,499 {2}due on \S+ {2}WRITTEN_OFF/);
  // Nobody uses for nothing what was never paid.
  for (const { apiKey } of [key, late]) expect(await gateways.callEach(apiKey)).toEqual(two('402 no-running-plan'));
  await portal.buy(token, billingCycleId);
  for (const { apiKey } of [key, late]) expect(await gateways.callEach(apiKey)).toEqual(two('200 ok'));
});
