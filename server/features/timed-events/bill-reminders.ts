import { transaction } from '#shared/database/transaction.ts';
import { addDays, type Day } from '#shared/domain/day.ts';
import { dedupeKeyOf } from '#shared/domain/dedupe-key.ts';
import type { PortalEvent } from '#shared/domain/event.ts';
import { changeBetween } from '#shared/domain/gst-rate.ts';
import { leastDuePaise, noticeOfBill } from '#shared/domain/pay-later.ts';
import { openOf, returnsOfBill, selectInvoiceOfBill } from '#server/features/credit/credit.ts';
import { ratesOf, referenceTo } from '#server/features/documents/documents.ts';
import { happened, selectHappened } from '#server/features/events/events.ts';
import type { RoundScope } from '#server/rounds/changes.ts';
import type { Portal } from '#server/portal.ts';

/** Tells customers what is due of their bills, and when: each notice once, however often this is called. */
export async function remindOfBills(portal: Portal, today: Day, { customers, items }: RoundScope): Promise<void> {
  let query = portal.db
    .selectFrom('credit_bills')
    .selectAll()
    .select(returnsOfBill)
    .where('due_paise', '>=', leastDuePaise)
    .where('due_on', '<=', addDays(today, 7))
    .orderBy('due_on')
    .orderBy('cycle_id');
  if (customers !== 'all')
    query = query.where((bill) => bill('customer_id', '=', bill.fn.any(bill.val([...customers]))));
  const due = (await query.execute()).flatMap((row) => {
    const { duePaise, ...bill } = openOf(row);
    const notice = noticeOfBill({ ...bill, duePaise }, today);
    if (notice === undefined) return [];
    const { cycle_id: cycleId, returns } = row;
    const event = { type: 'bill.due', cycleId, notice, duePaise, returns, ...bill } as const;
    return [{ event, customerId: row.customer_id }];
  });
  await tellEach(portal, items, due);
}

type Told = Omit<PortalEvent<'bill.due'>, 'invoice'> | Omit<PortalEvent<'bill.reported'>, 'invoice'>;

/** The key of what is told follows from the bill alone. */
const keyOf = (event: Told): string => dedupeKeyOf({ ...event, invoice: noInvoice });
const noInvoice: PortalEvent<'bill.due'>['invoice'] = { id: '', kind: 'INVOICE', number: '', issuedOn: '' };

/** Each event that has not happened yet happens, with the invoice of its bill. */
async function tellEach(
  portal: Portal,
  items: RoundScope['items'],
  all: readonly { event: Told; customerId: string }[],
): Promise<void> {
  const told = await selectHappened(
    portal.db,
    all.map(({ event }) => keyOf(event)),
  );
  for (const { event, customerId } of all) {
    if (told.has(keyOf(event))) continue;
    await items.each(customerId, () =>
      transaction(portal.db, async (tx) => {
        const invoice = await selectInvoiceOfBill(tx, event.cycleId);
        await happened(portal, { customerId }, tx, { ...event, invoice: { id: invoice.id, ...referenceTo(invoice) } });
      }),
    );
  }
}

/** Reports to the operator the invoices of periods before which a GST rate changes that was added since: only the day of their payment decides it. */
export async function reportChangedRates(portal: Portal, today: Day, { customers, items }: RoundScope): Promise<void> {
  let query = portal.db
    .selectFrom('credit_bills')
    .innerJoin('cycles', 'cycles.id', 'credit_bills.cycle_id')
    .select(['credit_bills.cycle_id', 'credit_bills.customer_id', 'credit_bills.billed_on'])
    .select(['cycles.service_id', 'cycles.from_date', 'cycles.plan'])
    .where('due_paise', '>=', leastDuePaise)
    .where('cycles.from_date', '>', today);
  if (customers !== 'all')
    query = query.where((bill) => bill('credit_bills.customer_id', '=', bill.fn.any(bill.val([...customers]))));
  const changed = (await query.execute()).flatMap((bill) => {
    const rates = ratesOf(portal, bill.service_id, bill.plan.gstRateBasisPoints);
    const from = changeBetween(rates, { invoicedOn: bill.billed_on, suppliedOn: bill.from_date });
    if (from === undefined) return [];
    const event = { type: 'bill.reported', cycleId: bill.cycle_id, report: { is: 'rate_changes', from } } as const;
    return [{ event, customerId: bill.customer_id }];
  });
  await tellEach(portal, items, changed);
}
