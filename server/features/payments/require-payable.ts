import type { Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { readProfile } from '#server/features/account/account.ts';
import { type CycleRow, isPackLate, isPackOfStopped, priceDue, requireOnSale } from '#server/features/cycles/cycles.ts';
import { type Issuer, type MayInvoice, requireActiveBuyer } from '#server/features/documents/documents.ts';
import { requireConfirmedSez } from '#server/features/tax-claims/tax-claims.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner } from '#server/portal.ts';
import { isHeld } from './store.ts';
import { isDebitUnderWay } from './use-money.ts';

/** Before anything is charged: the GST systems accept the buyer, and confirm what decides the tax. */
export async function requireBuyer(portal: Issuer, owner: Owner): Promise<MayInvoice> {
  const buyer = await requireActiveBuyer(portal, await readProfile(owner, portal.db));
  await requireConfirmedSez(portal, owner);
  return buyer;
}

type Cycles = readonly [CycleRow, ...CycleRow[]];

/** Refuses what nobody can order now, whoever asks; returns the cycles at the prices that an order asks for. Requires the activation's lock. */
export async function requirePayable(portal: Issuer, owner: Owner, tx: Tx, cycles: Cycles): Promise<Cycles> {
  const [first, ...others] = cycles;
  if (cycles.some((cycle) => cycle.status !== 'PAYMENT_PENDING')) throw refuse('nothing_to_pay');
  // A switch and a pack are paid alone (product §4.21, §4.23).
  const isAlone = cycles.some(({ replaces, adds_to: addsTo }) => replaces !== null || addsTo !== null);
  if (cycles.length > 1 && isAlone) throw refuse('invalid_request');
  if (await isPackLate(portal, owner, tx, first)) throw refuse('no_plan_running');
  if (await isPackOfStopped(tx, first, dayOf(portal.clock()))) throw refuse('plan_stopped');
  await requireOnSale(portal, owner, tx, cycles, dayOf(portal.clock()));
  // The invoice must name the customer's State (Rule 46(f)), so the profile is required before any money moves (product §3.2).
  if (!(await readProfile(owner, tx))) throw refuse('profile_incomplete');
  if (await isDebitUnderWay(portal, owner, tx, cycles)) throw refuse('payment_under_way');
  const isWaiting = await isHeld(
    tx,
    cycles.map(({ id }) => id),
  );
  if (isWaiting) throw refuse('payment_under_way');
  const priced = async (cycle: CycleRow) => ({ ...cycle, price_paise: await priceDue(portal, owner, tx, cycle) });
  return [await priced(first), ...(await Promise.all(others.map(priced)))];
}
