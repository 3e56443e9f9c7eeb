import { productName } from '#catalog/catalog.ts';
import { isBusiness } from '#shared/contract/account.ts';
import type { Db } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { type CreditTerms, leastDuePaise, leftOfLimit, stateOfBill, whyNotLater } from '#shared/domain/pay-later.ts';
import { readProfile } from '#server/features/account/account.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { openOf, selectOpenBills, selectTerms } from './store.ts';

export { reinstate } from './write-off.ts';

export {
  announceUnpaid,
  type BillRow,
  insertBill,
  isPlanStopped,
  openOf,
  lockTerms,
  returnsOfBill,
  selectBill,
  selectBillWithReturns,
  selectInvoiceOfBill,
  selectOpenBill,
  selectOpenBills,
  selectTaxableOfBill,
} from './store.ts';

export const onWire = ({ limitPaise, ...days }: CreditTerms) => ({ limit: rupees(limitPaise), ...days });

/** The terms of a customer; null where none were ever agreed. */
export async function readTerms(owner: Owner, db: Db) {
  const terms = await selectTerms(owner, db);
  return terms ? onWire(terms) : null;
}

/** What a customer may pay later, and the bills of what was sold so, the oldest unpaid ones first. */
export async function readCredit(portal: Pick<Portal, 'db' | 'catalog' | 'clock'>, owner: Owner) {
  const { db } = portal;
  const today = dayOf(portal.clock());
  const [terms, profile] = [await selectTerms(owner, db), await readProfile(owner, db)];
  const open = await selectOpenBills(owner, db);
  const rows = await selectBills(db)
    .where('credit_bills.customer_id', '=', owner.customerId)
    .orderBy((by) => by.case().when('due_paise', '>=', leastDuePaise).then(0).else(1).end())
    .orderBy('due_on')
    .orderBy('credit_bills.cycle_id')
    .limit(maxBills)
    .execute();
  return {
    terms:
      // They were agreed with a business.
      terms && terms.limitPaise > 0 && profile && isBusiness(profile)
        ? {
            limit: rupees(terms.limitPaise),
            days: terms.days,
            stopAfterDays: terms.stopAfterDays,
            left: rupees(leftOfLimit(terms, open)),
            /** Whatever it costs. */
            why: whyNotLater(terms, open, 0, today) ?? null,
          }
        : null,
    due: rupees(open.reduce((sum, { duePaise }) => sum + duePaise, 0)),
    bills: rows.map((row) => ({
      ...billOf(row, today),
      productName: productName(portal.catalog, row.service_id),
    })),
  };
}

/** More than a customer pays later in years; a statement has all of them. */
const maxBills = 200;

const selectBills = (db: Db) =>
  db
    .selectFrom('credit_bills')
    .innerJoin('cycles', 'cycles.id', 'credit_bills.cycle_id')
    .innerJoin('current_papers', 'current_papers.cycle_id', 'credit_bills.cycle_id')
    .innerJoin('customers', 'customers.id', 'credit_bills.customer_id')
    .selectAll('credit_bills')
    .select(['cycles.activation_id', 'cycles.service_id', 'cycles.plan', 'cycles.price_paise', 'customers.name'])
    .select(['current_papers.number', 'current_papers.document_id']);

type BillRow = Awaited<ReturnType<ReturnType<typeof selectBills>['execute']>>[number];

const billOf = (row: BillRow, today: string) => ({
  billingCycleId: row.cycle_id,
  activationId: row.activation_id,
  planName: row.plan.name,
  invoice: row.number,
  documentId: row.document_id,
  amount: rupees(row.price_paise),
  due: rupees(row.due_paise),
  writtenOff: rupees(row.written_off_paise),
  billedOn: row.billed_on,
  dueOn: row.due_on,
  stopsOn: row.stops_on,
  state: stateOfBill(openOf(row), today),
});

/** Bills of which something can be paid that is due, or was written off, of one customer or all, the longest due first. */
export async function listOpenBills(db: Db, today: string, customerId?: string) {
  let query = selectBills(db)
    .where('owed_paise', '>=', leastDuePaise)
    .orderBy('due_on')
    .orderBy('credit_bills.cycle_id');
  if (customerId !== undefined) query = query.where('credit_bills.customer_id', '=', customerId);
  const rows = await query.execute();
  return rows.map((row) => ({ ...billOf(row, today), customerId: row.customer_id, customer: row.name }));
}
