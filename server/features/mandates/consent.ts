import type { Selectable } from 'kysely';
import type { Db, Tx } from '#shared/database/connect.ts';
import type { Tables } from '#shared/database/tables.ts';
import { addDays, dayOf, startOfDay } from '#shared/domain/day.ts';
import { ceilingOf, mandateDays, type MandateMethod, methodsOf } from '#shared/domain/mandate.ts';
import { readProfile, readUser } from '#server/features/account/account.ts';
import { happened } from '#server/features/events/events.ts';
import { newId } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { selectDebit } from './debits.ts';
import {
  insertMandate,
  lapseAsked,
  mandateFacts,
  type MandateRow,
  selectLiveMandate,
  selectMandate,
  selectProviderCustomer,
  updateProviderCustomer,
  updateToken,
} from './store.ts';

type CycleRow = Selectable<Tables['cycles']>;

/** What the customer ticks beside a payment: renew this plan by itself. */
export interface RenewalConsent {
  /** The customer confirms each debit with a PIN: needed above ₹15,000. */
  pinEachTime: boolean;
  method: MandateMethod;
}

export type AgreedMandate = Pick<MandateRow, 'plan_id' | 'plan_name' | 'ceiling_paise' | 'pin_each_time' | 'method'>;

/** What a consent given with a payment for these cycles would be. Requires the activation's lock. */
export async function agreeMandate(
  owner: Owner,
  tx: Tx,
  cycles: readonly [CycleRow, ...CycleRow[]],
  { pinEachTime, method }: RenewalConsent,
): Promise<AgreedMandate> {
  const [first] = cycles;
  const isPlan = first.adds_to === null && first.tenure !== 'TRIAL';
  const ceiling = ceilingOf(Math.max(...cycles.map(({ price_paise: paise }) => paise)), pinEachTime);
  const isOne = cycles.every(({ plan }) => plan.planId === first.plan.planId);
  if (!isPlan || !isOne || ceiling === undefined || !methodsOf(pinEachTime).includes(method))
    throw refuse('invalid_request');
  const live = await selectLiveMandate(owner, tx, first.activation_id);
  // One that was asked for with an order that is not paid is replaced.
  if (live && live.token_id !== null) throw refuse('renews_already');
  const { planId, name } = first.plan;
  return { plan_id: planId, plan_name: name, ceiling_paise: ceiling, pin_each_time: pinEachTime, method };
}

/** Does an order carry this consent, or none? That of a debit is nobody's to pay by hand: the bank may still pay it. */
export async function carriesConsent(tx: Tx, orderId: string, agreed: AgreedMandate | undefined): Promise<boolean> {
  if (await selectDebit(tx, orderId)) return false;
  const carried = await selectMandate(tx, { orderId });
  if (!agreed) return carried === undefined;
  return (
    carried?.state === 'ASKED' &&
    carried.ceiling_paise === agreed.ceiling_paise &&
    carried.pin_each_time === agreed.pin_each_time &&
    carried.method === agreed.method
  );
}

/** How long a checkout in which the customer consents is not replaced by somebody who only pays. */
const consentOpenMs = 15 * 60_000;

/** May the customer be consenting in the checkout of a live order of these cycles right now, or is the payment that consents being confirmed? */
export async function isConsentOpen({ clock }: Pick<Portal, 'clock'>, tx: Tx, cycleIds: readonly string[]) {
  const mandate = await tx
    .selectFrom('mandates')
    .innerJoin('order_cycles', 'order_cycles.order_id', 'mandates.order_id')
    .select('mandates.id')
    .where('mandates.state', '=', 'ASKED')
    .where((mandate) =>
      mandate.or([
        mandate('mandates.asked_at', '>', new Date(clock() - consentOpenMs)),
        mandate.exists(
          mandate
            .selectFrom('payments')
            .select('payments.provider_payment_id')
            .whereRef('payments.order_id', '=', 'mandates.order_id')
            .where('payments.status', 'in', ['created', 'authorized']),
        ),
      ]),
    )
    .where('order_cycles.live', '=', true)
    .where('order_cycles.cycle_id', 'in', cycleIds)
    .limit(1)
    .executeTakeFirst();
  return mandate !== undefined;
}

/** Puts the consent on an order that was just made. Requires the activation's lock. */
export async function askMandate(
  portal: Pick<Portal, 'clock'>,
  owner: Owner,
  tx: Tx,
  order: { id: string; activation_id: string },
  agreed: AgreedMandate,
): Promise<void> {
  const now = portal.clock();
  // What was asked for with an order that was not paid is replaced.
  await lapseAsked(tx, { activation_id: order.activation_id }, new Date(now));
  const { activation_id: activationId, id: orderId } = order;
  const ids = { id: newId('MAN'), activation_id: activationId, order_id: orderId };
  await insertMandate(owner, tx, { ...agreed, ...ids, expires_on: addDays(dayOf(now), mandateDays) }, new Date(now));
}

/**
 * The token that came with the payment of an order. One that a later order took the place of, or that was turned off before, is cancelled at the
 * provider, and a customer whose payment is kept is told so, unless the plan renews by another one.
 */
export async function noteToken(
  portal: Portal,
  tx: Tx,
  { id: orderId, customer_id: customerId }: { id: string; customer_id: string },
  tokenId: string,
  isKept: boolean,
): Promise<void> {
  const mandate = await updateToken(tx, orderId, tokenId, new Date(portal.machineClock()));
  if (mandate?.state !== 'LAPSED' || !isKept) return;
  const live = await selectLiveMandate({ customerId }, tx, mandate.activation_id);
  if (live && live.token_id !== null) return;
  const about = await mandateFacts(tx, mandate, new Date(portal.clock()));
  await happened(portal, { customerId }, tx, { type: 'mandate.ended', ...about, endedBy: 'REPLACED' });
}

/** What an order at the provider carries: the payer's consent, or whose mandate it is to be debited by. */
export interface OrderParties {
  mandate?: { customerId: string; method: MandateMethod; ceilingPaise: number; expiresAt: number };
  customerId?: string;
}

export async function partiesOf(portal: Portal, orderId: string): Promise<OrderParties> {
  const asked = await selectMandate(portal.db, { orderId });
  if (asked && asked.state !== 'LAPSED') {
    const customerId = await providerCustomerOf(portal, asked);
    const expiresAt = Math.floor(startOfDay(asked.expires_on) / 1000);
    return { mandate: { customerId, method: asked.method, ceilingPaise: asked.ceiling_paise, expiresAt } };
  }
  const debit = await selectDebit(portal.db, orderId);
  const by = debit && (await selectMandate(portal.db, { id: debit.mandate_id }));
  return by?.provider_customer_id ? { customerId: by.provider_customer_id } : {};
}

/** Does an order ask for a mandate? */
export async function hasConsent(db: Db, orderId: string): Promise<boolean> {
  return (await selectMandate(db, { orderId }))?.state === 'ASKED';
}

/** The provider takes the order without its consent only: the customer pays, and the plan does not renew. */
export async function dropConsent(portal: Portal, orderId: string): Promise<void> {
  await lapseAsked(portal.db, { order_id: orderId }, new Date(portal.clock()));
}

/** Created at the provider with the first consent. */
async function providerCustomerOf(portal: Portal, mandate: MandateRow): Promise<string> {
  if (mandate.provider_customer_id !== null) return mandate.provider_customer_id;
  const known = await selectProviderCustomer(portal.db, mandate.customer_id);
  const id = known ?? (await portal.razorpay.createCustomer(await payerOf(portal, mandate.customer_id))).id;
  await updateProviderCustomer(portal.db, mandate.id, id);
  return id;
}

/** Whom the provider and the bank notify. */
export async function payerOf(portal: Portal, customerId: string) {
  const owner = { customerId };
  const [user, profile] = await Promise.all([readUser(owner, portal.db), readProfile(owner, portal.db)]);
  return { name: profile?.legalName ?? user.name, email: user.email, contact: profile?.phone ?? '' };
}
