import type { MonthEndStep, StepOfMonthEnd } from '#shared/contract/operator/month-end.ts';
import { differenceTexts } from '#shared/contract/operator/settlements.ts';
import { type Day, dayOf } from '#shared/domain/day.ts';
import { formatRupees, toPaise } from '#shared/domain/money.ts';
import { firstDayOf, lastDayOf, type Month, nextMonth } from '#shared/domain/month.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { findLastExport } from '#server/audit-log/audit-log.ts';
import { contentHashOf } from '#server/crypto/content-hash.ts';
import {
  type Books,
  type ExportsOfMonth,
  exportsOfMonth,
  faultsOfBooks,
  readBooks,
  selectToday,
  inputTaxText,
} from '#server/features/bookkeeping/bookkeeping.ts';
import { listOpenBills } from '#server/features/credit/credit.ts';
import { readExports, readWorkList } from '#server/features/documents/documents.ts';
import { readLedgerFindings } from '#server/features/ledger/ledger.ts';
import { exportOfMonth } from '#server/features/month-pack/month-pack.ts';
import { listHeld } from '#server/features/payments/payments.ts';
import { listPeriodLocks } from '#server/features/period-locks/period-locks.ts';
import { listUnpaidRefunds } from '#server/features/refunds/refunds.ts';
import { compareMonth } from '#server/features/settlements/settlements.ts';
import { listClaims } from '#server/features/tds/tds.ts';
import type { Exported, OperatorSource } from '#server/operator-handler.ts';

/** How a step stands; what is left out is not known or not there. */
interface Found {
  state: StepOfMonthEnd['state'];
  about: string;
  since?: string;
  by?: string;
  findings?: readonly string[];
}

/** A month that is closed, and the day on which that is. */
interface Closing extends OperatorSource {
  month: Month;
  last: Day;
  today: Day;
  books: Books;
  files: ExportsOfMonth;
}

/** More are counted, and not listed. */
const mostFindings = 100;

const reads: Record<MonthEndStep, (closing: Closing) => Promise<Found>> = {
  SETTLEMENT_CHECK: async (closing) => {
    const { differences, readUntil } = await compareMonth(closing, closing.month);
    const [first] = differences;
    if (first !== undefined)
      return {
        state: 'DIFFERS',
        about: `${countOf(differences.length, 'difference')} between Razorpay’s settlements and the books`,
        since: dayOf(first.atMs),
        findings: differences.map(
          ({ kind, id, atMs, expectedPaise, foundPaise }) =>
            `${dayOf(atMs)} ${differenceTexts[kind].what}: ${id}, expected ${formatRupees(expectedPaise)}, found ${formatRupees(foundPaise)}. ${differenceTexts[kind].remedy}`,
        ),
      };
    // A day that has not come can't have been read.
    if (readUntil !== null && readUntil > closing.last && readUntil <= closing.today)
      return { state: 'DONE', about: 'Razorpay’s settlements agree with the books' };
    // Settlements are read from the first order on.
    const orders = await closing.db.selectFrom('payment_orders').select('id').limit(1).executeTakeFirst();
    if (orders === undefined) return { state: 'DONE', about: 'Nobody has ever paid' };
    return { state: 'NOT_YET', about: `Razorpay’s settlements were read until ${readUntil ?? 'never'}` };
  },
  MISSING_IRNS: async ({ db, clock, last }) => {
    const waits = (await readWorkList(db, clock(), false)).filter(({ issuedOn }) => issuedOn <= last);
    return open(waits, {
      none: 'Every document that needs an IRN has one',
      some: (count) => `${countOf(count, 'document')} without an IRN`,
      since: ({ issuedOn }) => issuedOn,
      finding: ({ number, buyer, refused }) => `${number} to ${buyer}${refused === null ? '' : `: ${refused.reason}`}`,
    });
  },
  // The tax of what came in a month is due with it (CGST s. 13(2)).
  HELD_TRANSFERS: async ({ db, last }) => {
    const held = (await listHeld(db)).filter(({ heldOn }) => heldOn <= last);
    return open(held, {
      none: 'No bank transfer waits for your answer',
      some: (count) => `${countOf(count, 'bank transfer')} to answer`,
      since: ({ heldOn }) => heldOn,
      finding: ({ paymentId, customer, amount, planName }) =>
        `${paymentId}: ${formatRupees(toPaise(amount))} of ${customer} for ${planName}`,
    });
  },
  WAITING_TDS_CLAIMS: async ({ db, last }) => {
    const claims = (await listClaims(db, 'WAITING')).filter(({ declaredOn }) => declaredOn <= last);
    return open(claims, {
      none: 'Every TDS claim is decided',
      some: (count) => `${countOf(count, 'TDS claim')} to decide`,
      since: ({ declaredOn }) => declaredOn,
      finding: ({ customer, amountPaise, invoice }) => `${formatRupees(amountPaise)} of ${customer} on ${invoice}`,
    });
  },
  // Its tax is due with the month all the same (CGST Act s. 13(2)); that it was not paid is no ground for a credit note (s. 34).
  OVERDUE_BILLS: async ({ db, last, today }) => {
    const bills = (await listOpenBills(db, today)).filter(({ dueOn }) => dueOn <= last);
    return open(bills, {
      none: 'No bill that is paid later was due by then',
      some: (count) => `${countOf(count, 'bill')} overdue: remind their customers`,
      since: ({ dueOn }) => dueOn,
      finding: ({ invoice, due, customer, dueOn }) =>
        `${invoice}: ${formatRupees(toPaise(due))} of ${customer}, due on ${dueOn}`,
    });
  },
  UNPAID_REFUNDS: async ({ db, clock, last }) => {
    const refunds = (await listUnpaidRefunds(db, clock())).filter(
      ({ startedAt }) => dayOf(startedAt.getTime()) <= last,
    );
    return open(refunds, {
      none: 'No refund waits for you',
      some: (count) => `${countOf(count, 'refund')} not paid`,
      since: ({ startedAt }) => startedAt.toISOString(),
      finding: ({ id, amountPaise, customerName }) => `${id}: ${formatRupees(amountPaise)} to ${customerName}`,
    });
  },
  MISSING_PROOFS: async ({ db, clock, last }) => {
    return open(await readExports(db, clock(), { which: 'unproved', issuedBy: last }), {
      none: 'Every payment from abroad has its proof',
      some: (count) => `${countOf(count, 'export')} without the proof of its payment`,
      since: ({ issuedOn }) => issuedOn,
      finding: ({ number, buyer, dueOn }) => `${number} to ${buyer}, due on ${dueOn}`,
    });
  },
  BOOKS_CHECK: async ({ db, books }) => {
    const { found, wholeCheckedAt: since } = await readLedgerFindings(db, systemClock());
    const faults = [...faultsOfBooks(books), ...found.map(({ about }) => about)];
    if (faults.length > 0)
      return {
        state: 'DIFFERS',
        about: `The check of the books found ${countOf(faults.length, 'fault')}`,
        findings: faults,
      };
    if (since === null) return { state: 'NOT_YET', about: 'The first check of the whole ledger has not ended' };
    return { state: 'DONE', about: 'The books agree with the ledger, and nobody changed it', since };
  },
  GSTR1: async (closing) => {
    const made = await closing.files.gstr1();
    const { returns } = made.reply;
    if (returns.length === 0) return nothingSold(closing);
    const faults = returns.flatMap((each) => each.faults.map((fault) => `${each.gstin}: ${fault}`));
    if (faults.length > 0)
      return {
        state: 'DIFFERS',
        about: `The check of GSTR-1 found ${countOf(faults.length, 'fault')}: do not upload it`,
        findings: faults,
      };
    return fileOf(closing, made, []);
  },
  GSTR3B: async (closing) => {
    const made = await closing.files.gstr3b();
    const { returns, gstOnFees } = made.reply;
    if (returns.length === 0 && gstOnFees === null) return nothingSold(closing);
    const negative = returns.flatMap(({ gstin, negativeRows }) =>
      negativeRows.map(
        (row) => `${gstin}: ${row} is negative. The GST portal takes zero, and the rest lowers a later month.`,
      ),
    );
    const inputTax = gstOnFees === null ? [] : [inputTaxText(closing.month, gstOnFees)];
    return fileOf(closing, made, [...negative, ...inputTax]);
  },
  BOOKS_FILES: async (closing) => fileOf(closing, await closing.files.accounts(), []),
  MONTH_PACK: async (closing) => {
    const made = await exportOfMonth(closing.db, closing.month, closing.files);
    return fileOf(
      closing,
      made,
      made.reply.missing.map((number) => `${number} has no PDF yet`),
    );
  },
  LOCK: async ({ db, month }) => {
    const last = (await listPeriodLocks(db)).findLast((lock) => lock.month === month);
    if (last === undefined) return { state: 'TO_DO', about: 'Documents can still be dated into it' };
    const { action, operator: by, recordedAt, reason } = last;
    const isLocked = action === 'LOCK';
    return {
      state: isLocked ? 'DONE' : 'TO_DO',
      about: `${isLocked ? 'Locked' : 'Opened again'}: ${reason}`,
      since: recordedAt.toISOString(),
      by,
    };
  },
};

/** A step that is done when nothing waits. The items are oldest first. */
function open<Item>(
  items: readonly Item[],
  words: {
    none: string;
    some: (count: number) => string;
    since: (item: Item) => string;
    finding: (item: Item) => string;
  },
): Found {
  const [oldest] = items;
  if (oldest === undefined) return { state: 'DONE', about: words.none };
  return {
    state: 'TO_DO',
    about: words.some(items.length),
    since: words.since(oldest),
    findings: items.map(words.finding),
  };
}

/** A file is done when somebody asked for it and the books still say the same; whether it arrived, nobody here knows. */
async function fileOf(closing: Closing, made: Exported<unknown>, findings: readonly string[]): Promise<Found> {
  if (closing.today <= closing.last) return { ...notOver(closing), findings };
  const taken = await findLastExport(closing.db, made.name);
  if (taken === undefined) return { state: 'TO_DO', about: 'Not asked for yet', findings };
  const shared = { since: taken.at.toISOString(), by: taken.actor, findings };
  if (taken.hash !== contentHashOf(made))
    return { state: 'DIFFERS', about: 'The figures have changed since it was asked for', ...shared };
  return { state: 'DONE', about: 'Asked for, and the figures are still the same', ...shared };
}

const notOver = ({ month }: Closing): Found => ({
  state: 'NOT_YET',
  about: `The month is over on ${firstDayOf(nextMonth(month))}`,
});

const nothingSold = (closing: Closing): Found =>
  closing.today <= closing.last
    ? notOver(closing)
    : { state: 'DONE', about: 'Nothing was sold by the end of the month' };

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Some steps of the end of a month, in their order. */
export async function readSteps<Step extends MonthEndStep>(
  source: OperatorSource,
  month: Month,
  steps: readonly Step[],
): Promise<(StepOfMonthEnd & { step: Step })[]> {
  const { db, clock } = source;
  const [today, books] = [await selectToday(db, clock), await readBooks(db)];
  const files = exportsOfMonth(db, month, today, books);
  const closing = { ...source, month, last: lastDayOf(month), today, books, files };
  const found: (StepOfMonthEnd & { step: Step })[] = [];
  for (const step of steps) {
    const { state, about, since = null, by = null, findings = [] } = await reads[step](closing);
    found.push({ step, state, about, since, by, findings: findings.slice(0, mostFindings) });
  }
  return found;
}
