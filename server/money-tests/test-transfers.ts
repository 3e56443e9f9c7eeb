import { expect } from 'vitest';
import { z } from 'zod';
import { listHistory } from '#shared/contract/invoices.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { declareTransferTds, payByTransfer } from '#shared/contract/bank-transfers.ts';
import { dayOf } from '#shared/domain/day.ts';
import { bookFaults, readTdsReceivable, readTrialBalance } from '#server/features/bookkeeping/bookkeeping.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import type { Money } from './test-money.ts';
import { businessProfile } from './test-tds.ts';

/** A customer with an unpaid plan, who never pressed Pay. */
export async function adding(at: Money, profile: typeof businessProfile | null = businessProfile) {
  const customer = await at.newCustomer(profile);
  const plan = { params: { id: 'tax-lookup-api', planId: 'growth' } };
  const { activationId, billingCycleId: cycleId = '' } = await at.ask(activatePlan, plan, customer.token);
  const cycles = () => at.ask(listHistory, { params: { id: activationId } }, customer.token);
  return { ...customer, activationId, cycleId, cycles };
}

/** The customer's account number at the provider, by its id. */
export async function accountIdOf(at: Money, customerId: string): Promise<string> {
  const { id } = await at.portal.db
    .selectFrom('virtual_accounts')
    .select('id')
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow();
  return id;
}

/** A customer with an unpaid plan, who asked for an account number to pay it by bank transfer. */
export async function asking(at: Money, profile = businessProfile) {
  const added = await adding(at, profile);
  const { customerId, token, activationId, cycleId } = added;
  const askFor = (...cycleIds: string[]) =>
    at.ask(payByTransfer, { params: { activationId }, body: { billingCycleIds: cycleIds } }, token);
  const asked = await askFor(cycleId);
  const accountId = await accountIdOf(at, customerId);
  const credit = (amount: number, more: object = {}) =>
    at.standin('POST', `/standin/virtual_accounts/${accountId}/credit`, { amount, ...more });
  const refunds = () =>
    at.portal.db
      .selectFrom('refunds')
      .select(['reason', 'amount_paise', 'status', 'payout', 'withheld_paise'])
      .where('customer_id', '=', customerId)
      .orderBy('created_at')
      .execute();
  return { ...added, askFor, asked, accountId, credit, refunds };
}

const accounts = z.array(z.object({ status: z.string(), notes: z.record(z.string(), z.string()) }));

/** The account numbers that Razorpay has, of one customer or all. */
export async function accountsAtProvider(at: Money, customerId?: string) {
  const response = await fetch(new URL('/standin/virtual_accounts', at.portal.settings.razorpayApiUrl));
  const all = accounts.parse(await response.json());
  return customerId === undefined ? all : all.filter(({ notes }) => notes['customer'] === customerId);
}

export type Asking = Awaited<ReturnType<typeof asking>>;

/** The plan costs this with GST; its value without is 1,270.34, of which 10 % is 127 in whole rupees. */
export const price = 149_900;
export const tenth = 12_700;
export const tan = 'MUMA12345B';

/** What the tests of tax that is deducted from transfers do and look at. */
export function transfersAt(money: () => Money) {
  const today = () => dayOf(money().portal.clock());
  return {
    settle: () => money().work(money().portal, 60_000),
    declare: (one: Asking, declared: { tan: string; percent: 2 | 10 } | null = { tan, percent: 10 }) =>
      money().ask(declareTransferTds, { body: { declared } }, one.token),
    newAsking: () => asking(money()),
    balanceOf: async (account: string) => {
      const { rows } = await readTrialBalance(money().portal.db, today());
      const row = rows.find(({ account: name }) => name === account);
      return (row?.debitPaise ?? 0) - (row?.creditPaise ?? 0);
    },
    receivableOf: async ({ customerId }: Asking) =>
      (await readTdsReceivable(money().portal.db, today())).filter((row) => row.customerId === customerId),
    noFaults: async () => {
      expect(await money().faults()).toEqual([]);
      expect(await bookFaults(money().portal.db)).toEqual([]);
    },
  };
}

/** What the tests of transfers to the provider's own account do. */
export function recordingsAt(money: () => Money) {
  const cause = { actor: 'asha', reason: 'On the statement of the bank' };
  const today = () => dayOf(money().portal.clock());
  return {
    cause,
    today,
    record: (of: string, utr: string, more: { amount?: number; on?: string } = {}, by = money().portal) =>
      actAsOperator(by, 'finance', 'recordReceivedTransfer', { of, utr, amount: 1499, on: today(), ...more }, cause),
    preview: (of: string, utr: string, amount = 1499) =>
      previewAsOperator(money().portal, 'finance', 'recordReceivedTransfer', { of, utr, amount, on: today() }, cause),
  };
}
