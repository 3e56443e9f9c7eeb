import { afterAll, beforeAll, expect, test } from 'vitest';
import { payLater } from '#shared/contract/credit.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { sellOnTerms } from '#server/features/payments/payments.ts';
import { reportChangedRates } from '#server/features/timed-events/bill-reminders.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { allowed, termsCause } from './test-credit.ts';
import { catalogOfChangingRates, dayMs, type Money, startMoney } from './test-money.ts';
import { transfersAt } from './test-transfers.ts';

/** The rate of GST of an invoice that is issued before its period begins (CGST Act s. 14). */

let money: Money;
beforeAll(async () => {
  money = await startMoney({ catalogDir: catalogOfChangingRates({ refunds: false }) });
});
afterAll(() => money.close());

const { noFaults } = transfersAt(() => money);

test('a period that begins after a change of the rate is sold on terms only once it begins: its rate would follow from the day of its payment', async () => {
  // The rate changes on day 9.
  const one = await allowed(money, { limit: 9000 });
  expect((await one.later()).dueOn).toBeDefined();
  const [now] = await one.documents();
  expect(now?.content.gstRateBasisPoints).toBe(1800);
  const next = await one.next(30);
  const asked = { params: { activationId: one.activationId }, body: { billingCycleId: next } };
  expect((await money.send(payLater, asked, one.token)).body).toMatchObject({ code: 'gst_rate_changes' });
  expect(await one.credit()).toMatchObject({ due: 1499 });
  money.moveClock(10 * dayMs);
  await money.standin('POST', '/standin/clock', { advanceMs: 10 * dayMs });
  expect((await money.send(payLater, asked, one.token)).status).toBe(200);
  const invoice = await money.portal.db
    .selectFrom('documents')
    .select('content')
    .where('cycle_id', '=', next)
    .executeTakeFirstOrThrow();
  expect(invoice.content.gstRateBasisPoints).toBe(500);
  await noFaults();
});

test('a change of the rate that is announced after the invoice is reported to the operator once: the day of payment decides', async () => {
  const one = await allowed(money, { limit: 9000 });
  const next = await one.next(60);
  await one.later();
  const from = addDays(dayOf(money.portal.clock()), 45);
  // As if the operator had added a line to the catalogue since.
  const product = money.portal.catalog.find('tax-lookup-api');
  const find = (id: string) => {
    const found = money.portal.catalog.find(id);
    return found && id === product?.id ? { ...found, gstRates: [...steady, { from, basisPoints: 1800 }] } : found;
  };
  const steady = [{ from: '2017-07-01', basisPoints: 500 }];
  const selling = {
    ...money.portal.catalog,
    find: (id: string) => (id === product?.id ? { ...product, gstRates: steady } : undefined),
  };
  const before = money.anotherPortal({ catalog: { ...money.portal.catalog, ...selling } });
  await sellOnTerms(before, { customerId: one.customerId }, one.activationId, { cycleId: next });
  const after = money.anotherPortal({ catalog: { ...money.portal.catalog, find } });
  const today = dayOf(money.portal.clock());
  const reports = () =>
    money.portal.db
      .selectFrom('mails')
      .select(['subject', 'body_text'])
      .where('subject', 'like', 'GST rate of %')
      .execute();
  const scope = { customers: 'all', items: unrecorded } as const;
  await reportChangedRates(before, today, scope);
  expect(await reports()).toEqual([]);
  await reportChangedRates(after, today, scope);
  await reportChangedRates(after, today, scope);
  const [told, ...more] = await reports();
  expect(more).toEqual([]);
  expect(told?.body_text).toContain('section 14');
  // The way out that it names: the invoice is credited, no money moves, and it can be bought again.
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: next }, termsCause);
  const notes = await money.portal.db
    .selectFrom('documents')
    .select('kind')
    .where('cycle_id', '=', next)
    .orderBy('issued_at')
    .orderBy('kind', 'desc')
    .execute();
  expect(notes.map(({ kind }) => kind)).toEqual(['INVOICE', 'CREDIT_NOTE']);
  expect(await one.credit()).toMatchObject({ due: 1499 });
  await noFaults();
});
