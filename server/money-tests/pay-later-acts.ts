import { z } from 'zod';
import { endCycle } from '#shared/contract/cycles.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { pollList } from '#server/features/payments/provider-lists.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { allowed, setTerms, termsCause } from './test-credit.ts';
import { startElsewhere } from './test-elsewhere.ts';
import { dayMs, type Money } from './test-money.ts';
import { declareTds } from './test-tds.ts';
import { type Bill, billBooksAt, equal, isAsSold, type Life, type Paid } from './pay-later-books.ts';
import { price, tenth } from './test-transfers.ts';

/** What a small model of one customer on credit terms knows, and the random acts that it predicts (decision 081). */

export const actNames = [
  'sell',
  'sell',
  'pay',
  'pay',
  'payLessTax',
  'refundPart',
  'refundPart',
  'refundRest',
  'transferRefund',
  'refundElsewhere',
  'dispute',
  'endDispute',
  'certificate',
  'end',
  'writeOff',
  'changeTerms',
  'passDays',
] as const;

/** `share`: of whatever the act chooses an amount from. */
export interface Act {
  name: (typeof actNames)[number];
  which: number;
  share: number;
}

let utrs = 0;
const utr = () => `SBIN9${String((utrs += 1)).padStart(11, '0')}`;

const waits = ({ payments }: Bill) => payments.some(({ disputeId }) => disputeId !== undefined);

/** A refund of so much of the price: first less is due, and only the rest is transferred. */
const credit = (bill: Bill, paise: number) => {
  bill.creditedPaise += paise;
  if (bill.duePaise > 0) bill.isWrittenOff = false;
  bill.duePaise -= Math.min(bill.duePaise, paise);
};

/** Throws where it is done, or refused for another reason. */
const refused = (work: Promise<unknown>, why: RegExp) =>
  work.then(
    () => {
      throw new Error(`done, and the model says ${String(why)}`);
    },
    (error: unknown) => {
      if (!(error instanceof OperatorRefusal && why.test(error.message))) throw error;
    },
  );

/** Plays random acts; each returns whether it could be done, and throws where the portal does something else than the model says. */
export function actsAt(money: Money) {
  const elsewhere = startElsewhere(money);
  const today = () => dayOf(money.portal.clock());
  const finance = { ...termsCause };
  const { rowsOf, cashLeft, compare, compareOffer } = billBooksAt(money);

  async function start(): Promise<Life> {
    const terms = { limit: 5000, days: 10, stopAfterDays: 5 };
    const customer = await allowed(money, terms);
    return { customer, terms, unsold: [customer.cycleId, await customer.next(40)], bills: [] };
  }

  const open = async (bill: Bill) =>
    (await rowsOf(bill)).filter(({ payout, status }) => payout === 'TRANSFER' && status !== 'PROCESSED');

  async function refund(bill: Bill, paise: number): Promise<boolean> {
    const input = { of: bill.cycleId, amount: paise / 100 };
    try {
      await actAsOperator(money.portal, 'finance', 'refundPayment', input, { ...finance, reason: `Act ${utr()}` });
    } catch (error) {
      if (error instanceof OperatorRefusal && waits(bill)) return false;
      throw error;
    }
    // With the tax that had been withheld of it, in proportion.
    const made = (await rowsOf(bill)).findLast(({ origin }) => origin === 'OPERATOR');
    if (made === undefined) throw new Error('no refund was made');
    equal('refund without tax', made.amount_paise - made.withheld_paise, paise);
    credit(bill, made.amount_paise);
    bill.refundablePaise -= paise;
    if (bill.refundablePaise === 0) bill.isOver = true;
    return true;
  }

  /** Money goes back at the provider: it pays transfers that wait, then what of the bill's money is left is due again, and the rest is a loss. */
  async function goneElsewhere(bill: Bill, paid: Paid, paise: number, act: () => Promise<void>): Promise<void> {
    const waiting = (await open(bill)).reduce((sum, row) => sum + row.amount_paise - row.covered_paise, 0);
    const cash = await cashLeft(bill);
    await act();
    const covered = Math.min(waiting, paise);
    const again = Math.min(paise - covered, Math.max(0, paid.leftPaise - covered), cash);
    if (again > 0) bill.isWrittenOff = false;
    bill.duePaise += again;
    paid.leftPaise -= paise;
  }

  const acts: { [Name in Act['name']]: (life: Life, bill: Bill | undefined, share: number) => Promise<boolean> } = {
    sell: async (life) => {
      const cycleId = life.unsold[0];
      if (cycleId === undefined) return false;
      const due = life.bills.reduce((sum, bill) => sum + bill.duePaise, 0);
      // What was written off is overdue all the same, and counts towards the limit.
      const isOverdue = life.bills.some(({ duePaise, dueOn }) => duePaise > 0 && today() > dueOn);
      const isAllowed = life.terms.limit > 0 && !isOverdue && due + price <= life.terms.limit * 100;
      const sold = await life.customer.later(cycleId).then(
        () => true,
        (error: unknown) => {
          if (/no_credit_terms|bill_overdue|credit_limit_reached/.test(String(error))) return false;
          throw error;
        },
      );
      if (sold !== isAllowed) throw new Error(`sold ${String(sold)}, and the model says ${String(isAllowed)}`);
      if (!sold) return true;
      life.unsold.shift();
      const dueOn = addDays(today(), life.terms.days);
      life.bills.push({
        cycleId,
        duePaise: price,
        isWrittenOff: false,
        wasWrittenOff: false,
        stopsOn: addDays(dueOn, life.terms.stopAfterDays + 1),
        dueOn,
        creditedPaise: 0,
        payments: [],
        taxSeen: false,
        refundablePaise: price,
        isOver: false,
      });
      return true;
    },
    pay: async ({ customer }, bill) => {
      if (!bill || bill.duePaise < 100) return false;
      const { paymentId } = await money.buy(customer.token, bill.cycleId);
      bill.payments.push({ paymentId, leftPaise: bill.duePaise, disputeId: undefined, wasDisputed: false });
      bill.duePaise = 0;
      bill.isWrittenOff = false;
      return true;
    },
    payLessTax: async (_life, bill) => {
      if (!bill || bill.duePaise < 20_000) return false;
      const pay = (paise: number) => {
        const transfer = { of: bill.cycleId, utr: utr(), amount: rupees(paise), on: today() };
        return actAsOperator(money.portal, 'finance', 'recordReceivedTransfer', transfer, finance);
      };
      if (!isAsSold(bill)) {
        for (const tax of [tenth, Math.round((bill.duePaise * tenth) / price / 100) * 100])
          await refused(pay(bill.duePaise - tax), /^₹[\d,.]+ is not what is due for ORD-\w+: ₹[\d,.]+\. Return/);
        return true;
      }
      await pay(price - tenth);
      bill.duePaise = 0;
      bill.taxSeen = true;
      bill.refundablePaise -= tenth;
      return true;
    },
    refundPart: async (_life, bill, share) => {
      const left = bill?.refundablePaise ?? 0;
      const paise = 100 + Math.floor(share * (left - 200));
      return bill && !bill.isOver && left > 400 ? refund(bill, paise) : false;
    },
    refundRest: async (_life, bill) => (bill && !bill.isOver ? refund(bill, bill.refundablePaise) : false),
    transferRefund: async (_life, bill) => {
      const [first] = bill ? await open(bill) : [];
      if (!bill || !first) return false;
      const made = await actAsOperator(
        money.portal,
        'finance',
        'recordTransfer',
        { refundId: first.id, utr: utr(), on: today() },
        finance,
      ).then(
        () => true,
        (error: unknown) => {
          if (error instanceof OperatorRefusal && /disputes/.test(error.message)) return false;
          throw error;
        },
      );
      if (made === waits(bill)) throw new Error(`transferred ${String(made)} beside a dispute`);
      return true;
    },
    refundElsewhere: async (_life, bill, share) => {
      const paid = bill?.payments.find(({ leftPaise, wasDisputed }) => leftPaise >= 200 && !wasDisputed);
      if (!bill || !paid) return false;
      const paise = share > 0.7 ? paid.leftPaise : 100 + Math.floor(share * (paid.leftPaise - 100));
      await goneElsewhere(bill, paid, paise, async () => {
        const id = await elsewhere.refundOnDashboard(paid, paise);
        await elsewhere.deliverRefundWebhook(paid, id);
      });
      return true;
    },
    dispute: async (_life, bill) => {
      const paid = bill?.payments.find(({ leftPaise, wasDisputed }) => leftPaise >= 100 && !wasDisputed);
      if (!bill || !paid) return false;
      paid.disputeId = await elsewhere.dispute(paid, paid.leftPaise);
      paid.wasDisputed = true;
      await pollList(money.portal, 'disputes');
      return true;
    },
    endDispute: async (_life, bill, share) => {
      const paid = bill?.payments.find(({ disputeId }) => disputeId !== undefined);
      if (!bill || paid?.disputeId === undefined) return false;
      const { disputeId: id } = paid;
      if (share < 0.5) await elsewhere.moveDispute(paid, id, 'won');
      else await goneElsewhere(bill, paid, paid.leftPaise, () => elsewhere.moveDispute(paid, id, 'lost'));
      paid.disputeId = undefined;
      return true;
    },
    certificate: async ({ customer }, bill, share) => {
      if (!bill || bill.taxSeen || bill.isOver || bill.refundablePaise < 20_000) return false;
      const { from_date: from } = await money.portal.db
        .selectFrom('cycles')
        .select('from_date')
        .where('id', '=', bill.cycleId)
        .executeTakeFirstOrThrow();
      if (from > today()) return false;
      const paise = 100 + Math.floor(share * 10_000);
      const claimId = await declareTds(money, customer, bill.cycleId, paise);
      await actAsOperator(money.portal, 'finance', 'acceptTds', { claimId }, finance);
      bill.taxSeen = true;
      if (bill.duePaise > 0) bill.isWrittenOff = false;
      bill.duePaise -= Math.min(bill.duePaise, paise);
      return true;
    },
    end: async ({ customer }, bill) => {
      if (!bill || bill.isOver) return false;
      const params = { activationId: customer.activationId, billingCycleId: bill.cycleId };
      const reply = await money.send(endCycle, { params }, customer.token);
      if (reply.status !== 200) return false;
      const { refundAmount, offsetAmount } = z
        .object({ refundAmount: z.number(), offsetAmount: z.number() })
        .parse(reply.body);
      const paise = Math.round(refundAmount * 100);
      const offset = Math.round(offsetAmount * 100);
      if (offset !== Math.min(bill.duePaise, paise)) throw new Error(`ended with ${offset} less due`);
      credit(bill, paise);
      bill.isOver = true;
      return true;
    },
    writeOff: async (_life, bill) => {
      if (!bill) return false;
      const done = actAsOperator(money.portal, 'finance', 'writeOffBill', { cycleId: bill.cycleId }, finance);
      const isDue = bill.duePaise > 0 && !bill.isWrittenOff;
      if (!isDue) await refused(done, /^Nothing is due of/);
      else if (today() < bill.stopsOn) await refused(done, /is written off from/);
      else {
        await done;
        bill.isWrittenOff = true;
        bill.wasWrittenOff = true;
      }
      return true;
    },
    changeTerms: async (life, _bill, share) => {
      const limit = [0, 1499, 2000, 5000][Math.floor(share * 4)] ?? 0;
      const terms = { limit, days: 1 + Math.floor(share * 20), stopAfterDays: Math.floor(share * 6) };
      try {
        await setTerms(money, life.customer.customerId, terms);
      } catch (error) {
        if (error instanceof OperatorRefusal && /already/.test(error.message)) return false;
        throw error;
      }
      life.terms = terms;
      return true;
    },
    passDays: async (_life, _bill, share) => {
      const ms = Math.ceil(share * 6) * dayMs;
      money.moveClock(ms);
      await money.standin('POST', '/standin/clock', { advanceMs: ms });
      return true;
    },
  };

  /** Plays one act on one of the bills; false where it doesn't apply. */
  async function play(life: Life, { name, which, share }: Act): Promise<boolean> {
    const bill = life.bills[which % Math.max(1, life.bills.length)];
    if (!(await acts[name](life, bill, share))) return false;
    await compare(life);
    if (bill) await compareOffer(bill);
    return true;
  }

  return { start, play };
}
