import type { Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { isLiveMandate, isTokenOver, mandateAfter, type MandateStep, renewsStill } from '#shared/domain/mandate.ts';
import { happened } from '#server/features/events/events.ts';
import { ProviderRefusal } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { mandateFacts, type MandateRow, selectMandate, updateNextCheck, updateState } from './store.ts';

/** It may be resumed in the UPI app, and nothing says so. */
const pausedCheckMs = 6 * 3_600_000;

/**
 * Reads the token of a mandate at the provider and follows it. One that has ended here is cancelled there, again and again until the provider
 * says that it is over: the bank may refuse a cancellation. Returns the mandate as it is then.
 */
export async function checkMandate(portal: Portal, id: string): Promise<MandateRow | undefined> {
  const before = await selectMandate(portal.db, { id });
  if (!before?.token_id || !before.provider_customer_id) return before;
  const { provider_customer_id: customerId, token_id: tokenId } = before;
  const status = await readStatus(portal, customerId, tokenId, isLiveMandate(before.state));
  const after = await transaction(portal.db, async (tx) => follow(portal, tx, id, status));
  if (after && !isLiveMandate(after.state) && !isTokenOver(status)) {
    if (status !== 'cancellation_initiated') await portal.razorpay.cancelToken(customerId, tokenId);
    const reached = await readStatus(portal, customerId, tokenId, false);
    if (isTokenOver(reached)) await transaction(portal.db, (tx) => follow(portal, tx, id, reached));
  }
  return selectMandate(portal.db, { id });
}

/** One that has ended here, and that the provider does not know (any more), is over. */
async function readStatus(portal: Portal, customerId: string, tokenId: string, isLive: boolean): Promise<string> {
  try {
    return (await portal.razorpay.readToken(customerId, tokenId)).recurring_details?.status ?? '';
  } catch (error) {
    if (error instanceof ProviderRefusal && !isLive) return 'cancelled';
    throw error;
  }
}

async function follow(portal: Portal, tx: Tx, id: string, status: string): Promise<MandateRow | undefined> {
  const mandate = await tx.selectFrom('mandates').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!mandate) return undefined;
  const now = new Date(portal.clock());
  const step = mandateAfter(mandate.state, status);
  if (step) {
    await updateState(tx, id, step, now);
    await publishStep(portal, tx, mandate, step, now);
  }
  const state = step?.state ?? mandate.state;
  if (isTokenOver(status)) await updateNextCheck(tx, id, null, now);
  else if (state === 'IN_FORCE') await updateNextCheck(tx, id, null);
  else if (state === 'PAUSED') await updateNextCheck(tx, id, new Date(portal.machineClock() + pausedCheckMs));
  return { ...mandate, state };
}

/** The customer hears when the bank has confirmed it, and when something else than the portal's own page ended it. */
async function publishStep(
  portal: Portal,
  tx: Tx,
  mandate: MandateRow,
  { state, endedBy }: MandateStep,
  now: Date,
): Promise<void> {
  const about = await mandateFacts(tx, mandate, now);
  const owner = { customerId: mandate.customer_id };
  // Also one that was paused before this portal heard that it is confirmed.
  if (renewsStill(state) && mandate.confirmed_at === null) {
    const { ceiling_paise: ceilingPaise, expires_on: expiresOn, pin_each_time: pinEachTime } = mandate;
    const event = { type: 'mandate.confirmed', ...about, ceilingPaise, expiresOn, pinEachTime } as const;
    await happened(portal, owner, tx, event);
  }
  if (state === 'ENDED')
    await happened(portal, owner, tx, { type: 'mandate.ended', ...about, endedBy: endedBy ?? 'APP' });
}
