import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { documentRefund } from './documents.ts';
import { alertRemittances, readExports, recordProof } from './remittances.ts';
import { newBuyer, sampleLetters } from './test-buyer.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal({ jobs: false, env: { LETTERS_OF_UNDERTAKING: sampleLetters() } });
  await portal.behave({ webhooks: { enabled: false } });
});
afterAll(() => portal.close());

const abroad = { stateCode: '96', country: 'SG', pin: '018956', city: 'Singapore' };
const dayMs = 86_400_000;
const by = { reason: 'From the bank', actor: 'asha' };

async function sold(profile: object) {
  const buyer = await newBuyer(portal, profile);
  const cycleId = await buyer.buy(0);
  const { provider_payment_id: paymentId } = await portal.portal.db
    .selectFrom('payments')
    .select('provider_payment_id')
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  return { ...buyer, cycleId, paymentId };
}
const list = () => readExports(portal.portal.db, portal.portal.clock());
const states = async () =>
  new Map((await list()).map(({ paymentId, state, proof }) => [paymentId, proof?.reference ?? state]));
const proofOf = (paymentId: string, reference = 'FIRA-1') => ({
  paymentId,
  kind: 'FIRA' as const,
  reference,
  amount: '17.90',
  currency: 'USD',
  receivedOn: dayOf(portal.portal.clock()),
});

test('an export is listed until its proof is recorded, and is overdue after a year, with alerts before and after', async () => {
  const { db } = portal.portal;
  const [proved, missing, home] = [await sold(abroad), await sold(abroad), await sold({})];
  expect(await states()).toEqual(
    new Map([
      [proved.paymentId, 'awaited'],
      [missing.paymentId, 'awaited'],
    ]),
  );
  await recordProof(db, portal.portal.clock(), proofOf(proved.paymentId), by);
  await recordProof(db, portal.portal.clock(), proofOf(proved.paymentId, 'FIRA-2'), by);
  expect((await states()).get(proved.paymentId)).toBe('FIRA-2');

  await expect(recordProof(db, portal.portal.clock(), proofOf(home.paymentId), by)).rejects.toThrow(
    'not for an export',
  );
  await expect(recordProof(db, portal.portal.clock(), proofOf('pay_unknown'), by)).rejects.toThrow('no document');
  const future = { ...proofOf(missing.paymentId), receivedOn: '2999-01-01' };
  await expect(recordProof(db, portal.portal.clock(), future, by)).rejects.toThrow('has not come yet');
  // The database refuses it too.
  const row = { kind: 'FIRC' as const, reference: 'X', received_on: '2026-01-01', currency: 'USD', amount: '1.00' };
  const planted = db
    .insertInto('remittance_proofs')
    .values({ payment_id: home.paymentId, ...row, recorded_at: new Date() });
  await expect(planted.execute()).rejects.toThrow('is not for an export');

  const alerts = () => portal.logLines.filter((line) => line.includes('see octroi remittances list'));
  await alertRemittances(portal.portal);
  expect(alerts()).toEqual([]);
  portal.moveClock(367 * dayMs);
  expect((await states()).get(missing.paymentId)).toBe('overdue');
  await alertRemittances(portal.portal);
  expect(alerts()).toEqual([expect.stringContaining(missing.paymentId)]);
});

test('an export that was credited in parts waits for the rest of its payment, and for nothing once all is credited', async () => {
  const { db } = portal.portal;
  const buyer = await sold(abroad);
  const { customer_id: customerId } = await db
    .selectFrom('cycles')
    .select('customer_id')
    .where('id', '=', buyer.cycleId)
    .executeTakeFirstOrThrow();
  const credit = (amountPaise: number) =>
    transaction(db, (tx) =>
      documentRefund(portal.portal, { customerId }, tx, {
        cycleId: buyer.cycleId,
        amountPaise,
        reason: 'A refund for this test',
      }),
    );
  const waiting = async () => (await list()).filter(({ paymentId }) => paymentId === buyer.paymentId);
  const [whole] = await waiting();
  await credit(50_000);
  expect((await waiting()).map(({ totalPaise }) => totalPaise)).toEqual([(whole?.totalPaise ?? 0) - 50_000]);
  await credit((whole?.totalPaise ?? 0) - 50_000);
  expect(await waiting()).toEqual([]);
});
