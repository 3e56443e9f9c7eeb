import { payLater } from '#shared/contract/credit.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { sellOnTerms } from '#server/features/payments/payments.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import { at } from './model-command.ts';
import { add } from './renewal-acts.ts';
import {
  act,
  attempt,
  byOperator,
  cause,
  daysTo,
  type Life,
  move,
  payInCheckout,
  type Run,
  runIn,
  today,
} from './renewal-life.ts';
import { billsOf, unpaidOf } from './renewal-payments.ts';
import { setTerms } from './test-credit.ts';
import { nextUtr, prove } from './transfer-acts.ts';

/** What happens to credit terms and to what is sold on them (decision 081). Bills are paid by the acts of every payment. */

/** An operator lets the customer pay later, on other terms, or no more. */
export const allowTerms = (limit: number, days: number, stopAfterDays: number) =>
  act(`terms of ₹${limit}, ${days} days, stop after ${stopAfterDays}`, ({ money, customer }) =>
    byOperator(() => setTerms(money, customer.customerId, { limit, days, stopAfterDays })),
  );

/** Is nothing sold on terms, as the customer has none, or owes what is overdue? */
async function isForbidden(life: Life): Promise<boolean> {
  const terms = await life.money.portal.db
    .selectFrom('credit_terms')
    .select('limit_paise')
    .where('customer_id', '=', life.customer.customerId)
    .executeTakeFirst();
  const overdue = (await billsOf(life, leastDuePaise)).some(({ due_on: dueOn }) => dueOn < today(life));
  return overdue || (terms?.limit_paise ?? 0) === 0;
}

const isUnsold = ({ owedPaise }: { owedPaise?: number }) => owedPaise === undefined;

/** The customer begins an unpaid plan, to pay it later; a number: in a portal that is killed. */
export const sellLater = (which: number, run: Run) =>
  act(`pay ${which} later, ${typeof run === 'number' ? `killed at ${run}` : run}`, async (life) => {
    if (!(await unpaidOf(life)).some(isUnsold)) await add('growth', 0).run(life);
    const unsold = (await unpaidOf(life)).filter(isUnsold);
    if (unsold.length === 0) return;
    const { id: cycleId, activationId } = at(unsold, which);
    const before = await isForbidden(life);
    const isSold = async () => (await billsOf(life, 0)).some(({ cycle_id: id }) => id === cycleId);
    if (run === 'once') {
      await attempt(life, payLater, { params: { activationId }, body: { billingCycleId: cycleId } });
    } else {
      const owner = { customerId: life.customer.customerId };
      await runIn(life, run, (portal) =>
        sellOnTerms(portal, owner, activationId, { cycleId }).catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error;
        }),
      );
    }
    if (before && (await isSold()) && (await isForbidden(life)))
      throw new Error(`${cycleId} was sold on terms that forbid it`);
  });

export const payBill = (which: number, how: Parameters<typeof payInCheckout>[2]) =>
  act(`pay bill ${which} ${JSON.stringify(how)}`, async (life) => {
    const bills = await billsOf(life, leastDuePaise);
    if (bills.length === 0) return;
    const { cycle_id: id, activation_id: activationId } = at(bills, which);
    await payInCheckout(life, [id], how, activationId);
  });

/** Nothing runs until so many days after plans stop for the oldest bill. */
export const goToStop = (days: number) =>
  act(`go to ${days} days after the stop`, async (life) => {
    const [bill] = await billsOf(life, leastDuePaise);
    if (bill) await move(life, daysTo(life, bill.stops_on) + days);
  });

export const writeOff = (which: number) =>
  act(`write off ${which}`, async (life) => {
    const bills = await billsOf(life, 1);
    if (bills.length === 0) return;
    const { cycle_id: cycleId } = at(bills, which);
    await byOperator(() => actAsOperator(life.money.portal, 'owner', 'writeOffBill', { cycleId }, cause));
  });

/** An operator credits a part of what was sold on terms, or refunds it where it is paid. */
export const creditBill = (which: number, share: number) =>
  act(`credit ${share} of bill ${which}`, async (life) => {
    const bills = await billsOf(life, 0);
    if (bills.length === 0) return;
    const { cycle_id: of, price_paise: paise } = at(bills, which);
    const input = share === 1 ? { of } : { of, amount: Math.floor(paise * share) / 100 };
    const why = { ...cause, reason: `Credited ${share}` };
    await byOperator(() => actAsOperator(life.money.portal, 'owner', 'refundPayment', input, why));
  });

/** The customer proves tax that it has paid for a bill. */
export const certify = (which: number, paise: number) =>
  act(`certificate over ${paise} of bill ${which}`, async (life) => {
    const bills = await billsOf(life, 0);
    if (bills.length > 0) await prove(life, at(bills, which).cycle_id, paise);
  });

/** An operator transfers a refund that Razorpay can't pay. */
export const transferRefund = (which: number) =>
  act(`transfer refund ${which}`, async (life) => {
    const { money, customer } = life;
    const open = await money.portal.db
      .selectFrom('refunds')
      .select('id')
      .where('customer_id', '=', customer.customerId)
      .where('payout', '=', 'TRANSFER')
      .where('status', '<>', 'PROCESSED')
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    if (open.length === 0) return;
    const transfer = { refundId: at(open, which).id, utr: nextUtr(), on: today(life) };
    await byOperator(() => actAsOperator(money.portal, 'owner', 'recordTransfer', transfer, cause));
  });
