import { productName } from '#catalog/catalog.ts';
import { isBusiness } from '#shared/contract/account.ts';
import type { PayLinkBill, PayLinkState } from '#shared/contract/pay-links.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { rupees } from '#shared/domain/money.ts';
import { leastDuePaise } from '#shared/domain/pay-later.ts';
import { readProfile } from '#server/features/account/account.ts';
import { type BillRow, selectBill, selectInvoiceOfBill } from '#server/features/credit/credit.ts';
import { isPaymentUnderWay } from '#server/features/cycles/cycles.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { isEndedByErasure, type OpenedLink, selectLinksEnded } from './link.ts';

/** Links for what was sold to be paid later (decision 081): they pay the bill, of which nothing but what is due can change any more. */

/** The bill that a link pays: of the one plan that it names. A link from before the sale pays it too. */
export async function billOfLink(db: Db | Tx, cycleIds: readonly string[]): Promise<BillRow | undefined> {
  const [only, ...others] = cycleIds;
  return only === undefined || others.length > 0 ? undefined : selectBill(db, only);
}

/** Which of some cycles have a bill of which something is owed: a bill is paid alone. */
export async function hasOpenBill(db: Db | Tx, cycleIds: readonly string[]): Promise<boolean> {
  const open = await db
    .selectFrom('credit_bills')
    .select('cycle_id')
    .where('cycle_id', 'in', cycleIds)
    .where('owed_paise', '>=', leastDuePaise)
    .executeTakeFirst();
  return open !== undefined;
}

/** What a link for a bill is worth now, also of a blocked customer: whoever owes may pay. Locks nothing. */
export async function stateOfBillLink(
  tx: Tx,
  { owner, activationId, number }: Pick<OpenedLink, 'owner' | 'activationId' | 'number'>,
  { cycle_id: cycleId, owed_paise: duePaise }: BillRow,
): Promise<PayLinkState> {
  // Money that came for it, unless credit notes alone have lowered it to nothing.
  if (duePaise < leastDuePaise) return (await isPaidByMoney(tx, cycleId)) ? 'PAID' : 'REPLACED';
  if (await isEndedByErasure(tx, owner)) return 'UNAVAILABLE';
  if (number !== (await selectLinksEnded(tx, activationId))) return 'WITHDRAWN';
  return (await isPaymentUnderWay(tx, cycleId)) ? 'CONFIRMING' : 'OPEN';
}

async function isPaidByMoney(tx: Tx, cycleId: string): Promise<boolean> {
  const paid = await tx
    .selectFrom('payments')
    .select('provider_payment_id')
    .where('cycle_id', '=', cycleId)
    .where('use', '=', 'DUE')
    .executeTakeFirst();
  return paid !== undefined;
}

/** What the holder of a link sees of the taxes in an amount: those that there are. */
export function shownTaxes(
  of: Record<'taxablePaise' | 'cgstPaise' | 'sgstPaise' | 'utgstPaise' | 'igstPaise', number>,
): Pick<PayLinkBill, 'taxableValue' | 'taxes'> {
  const taxes = [
    { name: 'CGST' as const, paise: of.cgstPaise },
    { name: 'SGST' as const, paise: of.sgstPaise },
    { name: 'UTGST' as const, paise: of.utgstPaise },
    { name: 'IGST' as const, paise: of.igstPaise },
  ];
  return {
    taxableValue: rupees(of.taxablePaise),
    taxes: taxes.filter(({ paise }) => paise > 0).map(({ name, paise }) => ({ name, amount: rupees(paise) })),
  };
}

/** What the holder of such a link sees: the invoice, and what is due of it. */
export async function describeBill(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  { cycle_id: cycleId, owed_paise: duePaise, due_on: dueOn }: BillRow,
): Promise<PayLinkBill> {
  const { number, content } = await selectInvoiceOfBill(tx, cycleId);
  const { service_id: serviceId, plan } = await tx
    .selectFrom('cycles')
    .select(['service_id', 'plan'])
    .where('id', '=', cycleId)
    .where('customer_id', '=', owner.customerId)
    .executeTakeFirstOrThrow();
  const { split, item, supplier, recipient, purchaseOrder } = content;
  const profile = await readProfile(owner, tx);
  const amount = rupees(duePaise);
  return {
    customerName: recipient.name,
    seller: { name: supplier.name, gstin: supplier.gstin },
    productName: productName(portal.catalog, serviceId),
    lines: [{ planName: plan.name, days: { fromDate: item.fromDate, toDate: item.toDate }, amount }],
    amount,
    ...shownTaxes(split),
    purchaseOrder: purchaseOrder?.number ?? null,
    byTransfer: portal.settings.bankTransfers && profile !== undefined && isBusiness(profile),
    invoice: { number, total: rupees(split.totalPaise), dueOn },
  };
}
