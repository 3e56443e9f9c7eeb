import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { listActivations } from '#shared/contract/activations.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { createOrderOfPeriods, verifyPayment } from '#shared/contract/payments.ts';
import { endRenewal, readRenewal } from '#shared/contract/renewals.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import type { DebitState, MandateMethod } from '#shared/domain/mandate.ts';
import { runRounds } from '#server/start-rounds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const product = 'tax-lookup-api';
const methodFields = { upi: { method: 'upi' }, card: { method: 'card', card: { number: '4100280000001007' } } };
const dayMs = 86_400_000;
const hourMs = 3_600_000;

/**
 * Before each test: a customer with a paid plan of 30 days from today, which renews by a mandate that is in force. `prepare`: what the customer
 * does before. `method`: by which the customer pays and is debited.
 */
export function useRenewals(
  start: () => Promise<TestPortal> = startTestPortal,
  prepare: (portal: TestPortal, token: string) => Promise<void> = async () => undefined,
  method: MandateMethod = 'upi',
) {
  let portal: TestPortal;
  let token: string;
  let activationId: string;
  let customerId: string;

  beforeAll(async () => {
    portal = await start();
  });
  afterAll(() => portal.close());

  const params = () => ({ params: { activationId } });
  const renewal = () => portal.ask(readRenewal, params(), token);
  const today = () => dayOf(portal.portal.clock());
  const cycles = async () =>
    (await portal.ask(listActivations, {}, token)).activations.find(({ id }) => id === activationId)?.billingCycles ??
    [];
  const debits = () =>
    portal.portal.db
      .selectFrom('mandate_debits')
      .selectAll()
      .where('activation_id', '=', activationId)
      .orderBy('asked_at')
      .orderBy('attempt');
  const mandate = () =>
    portal.portal.db
      .selectFrom('mandates')
      .selectAll()
      .where('activation_id', '=', activationId)
      .where('token_id', 'is not', null)
      .executeTakeFirstOrThrow();
  const mails = async () =>
    (
      await portal.portal.db
        .selectFrom('mails')
        .select('subject')
        .where('customer_id', '=', customerId)
        .orderBy('created_at')
        .execute()
    ).map(({ subject }) => subject);

  /** The number of mails whose subject begins so. */
  const counted = async (beginning: string) =>
    (await mails()).filter((subject) => subject.startsWith(beginning)).length;
  const refundsOf = (paymentId: string | null) =>
    portal.portal.db
      .selectFrom('refunds')
      .select(['amount_paise', 'reason'])
      .where('payment_id', '=', paymentId ?? '')
      .execute();

  /** The first paid plan, which is running while no other one was. */
  const running = async () => (await cycles()).find(({ status }) => status === 'PAID');

  /** Adds an unpaid period. */
  async function add(startDate: string, planId = 'growth'): Promise<string> {
    const asked = { params: { activationId, planId }, body: { startDate } };
    return (await portal.ask(addCycle, asked, token)).billingCycleId ?? '';
  }

  /** Until the debits have these states, oldest first. */
  const untilDebits = (...states: DebitState[]) =>
    expect.poll(async () => (await debits().execute()).map(({ state }) => state)).toEqual(states);

  /** Both clocks: that of the product, and that of the payment provider. */
  async function move(days: number): Promise<void> {
    const advanceMs = Math.round(days * dayMs);
    portal.moveClock(advanceMs);
    await portal.standin('POST', '/standin/clock', { advanceMs });
  }

  /** Everything that is due on some days is done. */
  async function passDays(days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      await move(1);
      await runRounds(portal.portal);
    }
  }

  /** The renewal is at the bank: its debit, four days before the plan ends. */
  async function sentToBank() {
    await goBefore(5);
    await goBefore(4);
    await untilDebits('SENT');
    const [debit] = await debits().execute();
    if (!debit) throw new Error('there is no debit');
    return debit;
  }

  async function payWithConsent(cycleIds: string[], consents = true): Promise<void> {
    const body = { billingCycleIds: cycleIds, ...(consents && { renewal: { pinEachTime: false, method } }) };
    const order = await portal.ask(createOrderOfPeriods, { ...params(), body }, token);
    const paid = await portal.pay(order.orderId, {
      ...methodFields[method],
      ...(order.mandate && { customer_id: order.mandate.customerId }),
    });
    const report = {
      orderId: order.orderId,
      paymentId: String(paid['razorpay_payment_id']),
      signature: String(paid['razorpay_signature']),
    };
    await portal.ask(verifyPayment, { body: report }, token);
  }

  /** Goes to a day before the end of the plan, and runs what is due. */
  async function goBefore(days: number): Promise<void> {
    const running = (await cycles()).find(({ status }) => status === 'PAID');
    const end = running?.toDate ?? '';
    while (today() < addDays(end, -days)) await move(1);
    await runRounds(portal.portal);
  }

  beforeEach(async () => {
    await portal.behave({});
    // Early on a day: what follows 25 hours later is on the next one.
    const now = portal.portal.clock();
    await move((startOfDay(addDays(dayOf(now), 1)) + 6 * hourMs - now) / dayMs);
    token = await portal.newCustomer();
    await prepare(portal, token);
    const plan = { params: { id: product, planId: 'growth' } };
    const activated = await portal.ask(activatePlan, plan, token);
    ({ activationId } = activated);
    ({ customer_id: customerId } = await portal.portal.db
      .selectFrom('activations')
      .select('customer_id')
      .where('id', '=', activationId)
      .executeTakeFirstOrThrow());
    await payWithConsent([activated.billingCycleId ?? '']);
    await vi.waitUntil(async () => (await renewal()).mandate?.state === 'IN_FORCE', { timeout: 60_000 });
  });

  // The next test's clock must not renew this one's plan, nor take an outcome that is meant for it.
  afterEach(() => portal.send(endRenewal, params(), token));

  return {
    /** Of the test that runs. */
    the: () => ({ portal, token, activationId, customerId }),
    params,
    renewal,
    today,
    cycles,
    debits,
    mandate,
    mails,
    counted,
    refundsOf,
    untilDebits,
    move,
    passDays,
    payWithConsent,
    goBefore,
    sentToBank,
    running,
    add,
  };
}
