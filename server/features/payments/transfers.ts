import { isBusiness } from '#shared/contract/account.ts';
import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { rupees } from '#shared/domain/money.ts';
import { type TdsPercent, tdsPercentOf } from '#shared/domain/tds.ts';
import { readProfile } from '#server/features/account/account.ts';
import { accountOf, askForTransfer, updateDeclared } from '#server/features/bank-transfers/bank-transfers.ts';
import { isDebitWithheld } from '#server/features/mandates/mandates.ts';
import { ProviderRefusal, ProviderUnavailable } from '#server/razorpay/razorpay.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { createOrderOfPeriods } from './create-order.ts';
import { selectNamedCycles } from './payable-cycles.ts';
import { settleFetched } from './settle.ts';
import { selectOwnOrder } from './store.ts';
import { deductionsOf } from './withheld.ts';

/** The order of unpaid cycles, and the customer's account number to which its amount is transferred (decision 075). */
export async function payByTransfer(
  portal: Portal,
  owner: Owner,
  activationId: string,
  cycleIds: readonly string[],
  standing?: (tx: Tx) => Promise<void>,
) {
  if (!portal.settings.bankTransfers) throw refuse('not_found');
  // What is not the caller's, nobody is told of.
  if (!(await selectNamedCycles(owner, portal.db, activationId, cycleIds))) throw refuse('not_found');
  const profile = await readProfile(owner, portal.db);
  if (!profile) throw refuse('profile_incomplete');
  if (!isBusiness(profile)) throw refuse('business_only');
  const opened = await createOrderOfPeriods(portal, owner, activationId, { cycleIds, standing });
  const order = await selectOwnOrder(owner, portal.db, opened.orderId);
  if (!order) throw refuse('nothing_to_pay');
  const account = await accountOf(portal, owner).catch((error: unknown) => {
    if (!(error instanceof ProviderRefusal || error instanceof ProviderUnavailable)) throw error;
    portal.log.error({ err: error }, 'the provider created no account number for bank transfers');
    throw refuse('payment_provider_unavailable');
  });
  await askForTransfer(portal, owner, account, order, standing === undefined);
  const deductions = await transaction(portal.db, (tx) => deductionsOf(portal, tx, order));
  return {
    amount: rupees(order.amount_paise),
    planName: opened.planName,
    account: {
      name: account.holder_name,
      number: account.account_number,
      ifsc: account.ifsc,
      bank: account.bank_name,
    },
    deductions: deductions.map(({ percent, paise }) => ({
      percent,
      tds: rupees(paise),
      amount: rupees(order.amount_paise - paise),
    })),
    declared: declaredOf(account),
    withholdsDebit: await isDebitWithheld(portal, owner, activationId),
  };
}

const declaredOf = (account: { tds_tan: string | null; tds_percent: number | null }) => {
  const percent = tdsPercentOf(account.tds_percent);
  return account.tds_tan === null || percent === undefined ? null : { tan: account.tds_tan, percent };
};

/** Says, or takes back, that the customer deducts tax (TDS) from its transfers (decision 075). */
export async function declareTransferTds(
  portal: Portal,
  owner: Owner,
  declared: { tan: string; percent: TdsPercent } | null,
) {
  if (!(await updateDeclared(owner, portal.db, declared))) throw refuse('not_found');
  return { declared };
}

/** Asks the provider for the credits of an account number, independently of webhooks. */
export async function reconcileAccount(portal: Portal, accountId: string): Promise<void> {
  for await (const page of portal.razorpay.listTransfers(accountId)) {
    const ids = page.map(({ id }) => id);
    const settled = await portal.db
      .selectFrom('payments')
      .select('provider_payment_id as id')
      .where('provider_payment_id', 'in', ids)
      .where('status', '=', 'captured')
      .execute();
    for (const payment of page) if (!settled.some(({ id }) => id === payment.id)) await settleFetched(portal, payment);
  }
}
