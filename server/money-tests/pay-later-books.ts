import { sql } from 'kysely';
import { z } from 'zod';
import { readCredit, readStatement } from '#shared/contract/credit.ts';
import type { Db } from '#shared/database/connect.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { previewAsOperator } from '#server/operator-calls.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { type allowed, termsCause } from './test-credit.ts';
import type { Money } from './test-money.ts';
import { price, tenth } from './test-transfers.ts';

/** What the model of bills knows, and how it is compared with the books. */

export interface Paid {
  paymentId: string;
  /** What of it the provider still has. */
  leftPaise: number;
  disputeId: string | undefined;
  wasDisputed: boolean;
}

export interface Bill {
  cycleId: string;
  /** What is owed of it. */
  duePaise: number;
  isWrittenOff: boolean;
  stopsOn: Day;
  dueOn: Day;
  creditedPaise: number;
  payments: Paid[];
  taxSeen: boolean;
  wasWrittenOff: boolean;
  /** What of the price can still be refunded in money or as less that is due: without tax that was withheld from its transfer. */
  refundablePaise: number;
  isOver: boolean;
}

/** Nothing has changed what is due of it. */
export const isAsSold = ({ payments, creditedPaise, taxSeen, wasWrittenOff }: Bill): boolean =>
  payments.length === 0 && creditedPaise === 0 && !taxSeen && !wasWrittenOff;

/** What is due of it: nothing while it is written off. */
const dueOf = ({ duePaise, isWrittenOff }: Bill): number => (isWrittenOff ? 0 : duePaise);

const sum = (of: readonly { amount_paise: number }[]): number =>
  of.reduce((total, { amount_paise: paise }) => total + paise, 0);

/** What came in money for a bill, and what of it went back or is promised, by the rows alone. */
async function moneyOf(db: Db, cycleId: string) {
  const paid = await db
    .selectFrom('payments')
    .select('amount_paise')
    .where('cycle_id', '=', cycleId)
    .where('use', '=', 'DUE')
    .execute();
  const refunds = await refundsOfBill(db, cycleId);
  const back = refunds
    .filter(({ payout }) => payout !== 'WITHHELD')
    .reduce((total, row) => total + row.amount_paise - row.covered_paise, 0);
  return { came: sum(paid), back, refunds };
}

/** Of the promise and of what paid it; not of what came for the bill and went back. */
const refundsOfBill = (db: Db, cycleId: string) =>
  db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.provider_payment_id', 'refunds.payment_id')
    .selectAll('refunds')
    .where('refunds.cycle_id', '=', cycleId)
    .where('payments.use', 'in', ['CYCLE', 'DUE'])
    .orderBy('refunds.created_at')
    .orderBy('refunds.id')
    .execute();

/** `owed = price − credit notes − tax − (money that came − money that went back or is promised)`. */
export async function owedByRows(db: Db, cycleId: string, pricePaise: number): Promise<number> {
  const notes = await db
    .selectFrom('documents')
    .select('total_paise as amount_paise')
    .where('cycle_id', '=', cycleId)
    .where('kind', '=', 'CREDIT_NOTE')
    .execute();
  const { came, back, refunds } = await moneyOf(db, cycleId);
  const tax = refunds.reduce(
    (total, row) => total + (row.origin === 'TDS' ? row.amount_paise : 0) - row.withheld_paise,
    0,
  );
  return pricePaise - sum(notes) - tax - (came - back);
}

type Customer = Awaited<ReturnType<typeof allowed>>;

export interface Life {
  customer: Customer;
  terms: { limit: number; days: number; stopAfterDays: number };
  unsold: string[];
  bills: Bill[];
}

/** The books of bills: by their own rows, and as the portal shows them. */
export function billBooksAt(money: Money) {
  const today = () => dayOf(money.portal.clock());

  const rowsOf = ({ cycleId }: Bill) => refundsOfBill(money.portal.db, cycleId);

  /** Of what came in money, with proved tax, what has not gone back. */
  async function cashLeft(bill: Bill): Promise<number> {
    const claims = await money.portal.db
      .selectFrom('tds_claims')
      .select('amount_paise')
      .where('cycle_id', '=', bill.cycleId)
      .where('status', '=', 'ACCEPTED')
      .execute();
    const { came, back } = await moneyOf(money.portal.db, bill.cycleId);
    return came + sum(claims) - back;
  }

  /** Less tax is offered of a bill that is due as it was sold; of any other exactly what is due, and nothing else. */
  async function compareOffer(bill: Bill): Promise<void> {
    if (bill.duePaise < 20_000) return;
    const offers = isAsSold(bill) ? [price, price - 2500, price - tenth] : [bill.duePaise];
    const other = { of: bill.cycleId, utr: 'SBIN900000000000', amount: 123.45, on: today() };
    const words = await previewAsOperator(money.portal, 'finance', 'recordReceivedTransfer', other, termsCause).then(
      () => 'taken',
      (error: unknown) => String(error),
    );
    const found = [...words.matchAll(/(?:ORD-\w+: |, or )₹([\d,]*\d(?:\.\d+)?)/g)].map(([, text = '']) =>
      Math.round(Number(text.replaceAll(',', '')) * 100),
    );
    equal(`what “${words}” offers`, found.join(), offers.join());
  }

  /** The portal's bills, statement and access agree with the model, and each bill with its own rows. */
  async function compare(life: Life): Promise<void> {
    const { customer } = life;
    for (const bill of life.bills) {
      const row = await money.portal.db
        .selectFrom('credit_bills')
        .selectAll()
        .where('cycle_id', '=', bill.cycleId)
        .executeTakeFirstOrThrow();
      equal(`due of ${bill.cycleId}`, row.due_paise, dueOf(bill));
      equal(`written off of ${bill.cycleId}`, row.written_off_paise, bill.duePaise - dueOf(bill));
      equal(`rows of ${bill.cycleId}`, row.owed_paise, await owedByRows(money.portal.db, bill.cycleId, price));
      if ((await cashLeft(bill)) < 0) throw new Error(`more of ${bill.cycleId} went back than came`);
    }
    const due = life.bills.reduce((total, bill) => total + dueOf(bill), 0);
    const owed = life.bills.reduce((total, { duePaise }) => total + duePaise, 0);
    const open = life.bills.filter((bill) => dueOf(bill) >= leastDuePaise);
    const credit = await money.ask(readCredit, {}, customer.token);
    equal(
      'due of all',
      Math.round(credit.due * 100),
      open.reduce((total, { duePaise }) => total + duePaise, 0),
    );
    const query = { from: addDays(today(), -3000), to: today() };
    const statement = await money.ask(readStatement, { query }, customer.token);
    equal('closing balance', Math.round(statement.closing * 100), due);
    const aged = statement.ageing.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
    equal('sum of ages', aged, due);
    equal('written off', Math.round(statement.writtenOff * 100), owed - due);
    const stopped = await sql`
      select c.id, plan_stops_on(c)::text as stops_on from cycles c where c.customer_id = ${customer.customerId}`.execute(
      money.portal.db,
    );
    const stopOf = (bill: Bill) =>
      credit.bills.find(({ billingCycleId }) => billingCycleId === bill.cycleId)?.stopsOn ?? '';
    const stops = open.map(stopOf);
    for (const { id, stops_on: stopsOn } of checkedRows(
      z.object({ id: z.string(), stops_on: z.string().nullable() }),
      stopped,
    )) {
      const unpaid = life.bills.find(({ cycleId, duePaise }) => cycleId === id && duePaise >= leastDuePaise);
      equal(`stop of ${id}`, stopsOn, unpaid ? [stopOf(unpaid), ...stops].toSorted()[0] : null);
    }
  }

  return { rowsOf, cashLeft, compare, compareOffer };
}

/** Throws where the portal says something else than the model. */
export function equal(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what} is ${String(found)}, and the model says ${String(expected)}`);
}
