import type { Tx } from '#shared/database/connect.ts';
import { isBeforeMove } from '#shared/database/setback.ts';
import { transaction } from '#shared/database/transaction.ts';
import { type Deduction, meaningOfCredit } from '#shared/domain/bank-transfer.ts';
import { nextCheckAfterMs } from '#shared/domain/payment.ts';
import { tdsPercentOf } from '#shared/domain/tds.ts';
import { readErased } from '#server/features/account/account.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { ProviderPayment } from '#server/razorpay/razorpay.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { insertAsked, selectAsked } from './asked.ts';
import {
  type AccountRow,
  insertAccount,
  insertTransfer,
  isOrderOpen,
  lockAccount,
  selectOwnAccount,
  selectTransfer,
} from './store.ts';

export { canPayItsOrder, isPackTransferAsked, isTransferAsked, whoAsked } from './asked.ts';
export {
  claimDueAccounts,
  insertReceived,
  selectDeclared,
  selectTransfer,
  updateDeclared,
  wakeAccount,
} from './store.ts';

export { otherMoneyOf, recordedAs, requireUtr } from './numbers.ts';

/** A method of payment of the provider. */
export const byTransfer = 'bank_transfer';

/**
 * The customer's account number, created with the first wish to pay by bank transfer. One that was created although its response was lost stays
 * unknown to everybody, and so without credits; one that is not kept is closed.
 */
export async function accountOf(portal: Portal, owner: Owner): Promise<AccountRow> {
  const known = await selectOwnAccount(owner, portal.db);
  if (known) return known;
  if ((await readErased(owner, portal.db)) !== null) throw refuse('not_found');
  const { customerId } = owner;
  const made = await portal.razorpay.createVirtualAccount({ description: customerId, notes: { customer: customerId } });
  const [receiver] = made.receivers;
  const inserting = insertAccount(owner, portal.db, {
    id: made.id,
    account_number: receiver.account_number,
    ifsc: receiver.ifsc,
    bank_name: receiver.bank_name ?? '',
    holder_name: receiver.name,
    created_at: new Date(portal.clock()),
    next_check_at: new Date(portal.machineClock()),
  });
  await inserting.catch(async (error: unknown) => {
    // After any other failure it may be stored.
    if ((await readErased(owner, portal.db)) === null) throw error;
    await closeUnkept(portal, made.id);
    throw refuse('not_found');
  });
  const account = await selectOwnAccount(owner, portal.db);
  if (!account) throw new Error(`customer ${customerId} has no account number`);
  if (account.id !== made.id) await closeUnkept(portal, made.id);
  return account;
}

/** The customer was erased meanwhile, or another request was faster. Nobody was told of the number. */
async function closeUnkept(portal: Portal, accountId: string): Promise<void> {
  await portal.razorpay
    .closeVirtualAccount(accountId)
    .catch((error: unknown) => portal.log.error({ err: error, accountId }, 'an account number without a use is open'));
}

/** An order is meant to be paid by transfer to the account number. `byCustomer`: that is the customer's word, not only that of a holder of a pay link. */
export async function askForTransfer(
  portal: Portal,
  owner: Owner,
  account: AccountRow,
  order: { id: string; activation_id: string },
  byCustomer: boolean,
): Promise<void> {
  const asked = { orderId: order.id, activationId: order.activation_id, accountId: account.id, byCustomer };
  const nextCheckAt = new Date(portal.machineClock() + (nextCheckAfterMs(0) ?? 0));
  await transaction(portal.db, async (tx) => {
    await lockActivation(owner, tx, order.activation_id);
    // Something else may have replaced it meanwhile, such as a debit.
    if (!(await isOrderOpen(tx, order.id))) throw refuse('nothing_to_pay');
    await insertAsked(owner, tx, { ...asked, now: new Date(portal.clock()), nextCheckAt });
  });
}

/**
 * The id of the order that a payment by bank transfer is for, decided once, when it is first seen. Undefined for any other payment, and for a credit
 * that no order of ours explains: its money shows in the settlements. `deductionsOf`: what a customer may deduct from an order.
 */
export async function orderIdOfTransfer(
  portal: Portal,
  payment: ProviderPayment,
  deductionsOf: (tx: Tx, orderId: string) => Promise<Deduction[]>,
): Promise<string | undefined> {
  if (payment.method !== byTransfer) return undefined;
  const known = await selectTransfer(portal.db, payment.id);
  if (known) return known.order_id;
  const transfer = await portal.razorpay.readTransfer(payment.id);
  const orderId = await transaction(portal.db, async (tx) => {
    const account = await lockAccount(tx, transfer.virtual_account_id);
    if (!account) return undefined;
    // Another process may have noted it before this one had the lock.
    const noted = await selectTransfer(tx, payment.id);
    if (noted) return noted.order_id;
    const asked = [];
    for (const order of await selectAsked(tx, account.id))
      asked.push({ ...order, deductions: order.isTaken ? [] : await deductionsOf(tx, order.id) });
    const mayBeOfLost = await isBeforeMove(tx, payment.created_at * 1000);
    const meant = meaningOfCredit(payment.amount, asked, tdsPercentOf(account.tds_percent), mayBeOfLost);
    if (meant === undefined) return undefined;
    const { orderId: id, deduction: less } = meant;
    const [utr, now] = [transfer.bank_reference, new Date(portal.clock())];
    const deduction = less && { ...less, tan: less.isDeclared ? account.tds_tan : null };
    await insertTransfer(tx, account, {
      paymentId: payment.id,
      orderId: id,
      paise: payment.amount,
      utr,
      deduction,
      now,
    });
    return id;
  });
  if (orderId === undefined)
    portal.log.error(
      { paymentId: payment.id, utr: transfer.bank_reference, virtualAccountId: transfer.virtual_account_id },
      'a bank transfer is for no order of this portal: return it at the payment provider',
    );
  return orderId;
}
