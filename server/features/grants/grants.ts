import type { z } from 'zod';
import { findPlan, type Product, termsOf } from '#catalog/catalog.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import type { grantPlan } from '#shared/contract/operator/grants.ts';
import { noRenewalEffect } from '#shared/contract/renewal-effect.ts';
import { changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { grantedTerms, maxGrantedDays } from '#shared/domain/granted-plan.ts';
import { pricingPlan, usableUnits, worthOf } from '#shared/domain/listed-worth.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import type { PlanTerms } from '#shared/domain/plan.ts';
import { type OperatorCause, recordAction } from '#server/audit-log/audit-log.ts';
import { insertActivation } from '#server/features/activations/activations.ts';
import {
  type CycleRecord,
  findPaidPack,
  type GrantPlan,
  grantCycle,
  planGrant,
} from '#server/features/cycles/cycles.ts';
import { givenDaysEffect } from '#server/features/mandates/mandates.ts';
import { lockActivation, lockCustomer } from '#server/features/ownership/ownership.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import type { OperatorContext } from '#server/operator-handler.ts';
import { noSuchCustomer, OperatorRefusal } from '#server/refusals/operator-refusal.ts';

/** What an operator asks to grant. */
type GrantOrder = z.output<typeof grantPlan.input>;

/** A grant as it is shown before it is made. */
type GrantPreview = Omit<GrantResult, 'cycleId' | 'effectiveBy'>;
type GrantResult = OperatorReply<'grantPlan'> & { cycleId: string };

interface Ready {
  preview: GrantPreview;
  terms: PlanTerms;
  product: Product;
  made: GrantPlan;
  today: Day;
}

/** What a grant would do; throws OperatorRefusal when it can't be made. */
export async function previewGrant(context: OperatorContext, order: GrantOrder): Promise<GrantPreview> {
  const product = requireProduct(context.catalog.find(order.productId), order);
  const activationId = await findActivation(context.db, order.customerId, product.id);
  return (await prepare(context, context.db, order, product, activationId)).preview;
}

/**
 * Grants a plan (product §4.25): a cycle without price, order or document, with a reason and an end. Activates the product if need be. Returns
 * when every gateway knows it.
 */
export async function makeGrant(
  context: OperatorContext,
  order: GrantOrder,
  cause: OperatorCause,
): Promise<GrantResult> {
  const reason = cause.reason.trim();
  const { result, effectiveBy } = await changeAccess(context, async (change) => {
    const { tx } = change;
    const owner = { customerId: order.customerId };
    const now = new Date(context.clock());
    const product = requireProduct((await catalogForSale(context, tx)).find(order.productId), order);
    // The activation before the customer, in the order of an erasure.
    const known = await findActivation(tx, order.customerId, product.id);
    if (known !== undefined) await lockActivation(owner, tx, known);
    // Not blocked meanwhile, and no other grant at the same time; payments of the customer need not wait.
    await lockCustomer(owner, tx);
    const before = await findActivation(tx, order.customerId, product.id);
    if (before !== undefined && before !== known) await lockActivation(owner, tx, before);
    const ready = await prepare(context, tx, order, product, before);
    const activationId = before ?? (await insertActivation(owner, tx, product.id, now));
    const { terms, made, today, preview } = ready;
    const serviceId = product.id;
    const cycleId = await grantCycle(context, owner, change, {
      activationId,
      serviceId,
      terms,
      made,
      reason,
      today,
      now,
    });
    const { planId, fromDate, toDate, dailyQuota, monthlyQuota, replaces } = preview;
    const effect = { activationId, productId: serviceId, planId, fromDate, toDate, dailyQuota, monthlyQuota, replaces };
    const paise = toPaise(preview.worth);
    await recordAction(tx, { ...cause, reason, action: 'plans.grant', target: cycleId, ...owner, effect, paise });
    return { ...preview, activationId, cycleId };
  });
  return { ...result, effectiveBy };
}

function requireProduct(product: Product | undefined, { productId, planId }: GrantOrder): Product {
  if (!product) throw new OperatorRefusal(`The catalogue has no product ${productId}.`, 'not_found');
  if (!findPlan(product, planId)) {
    const plans = product.plans.map((plan) => plan.planId).join(', ');
    throw new OperatorRefusal(`${product.id} has no plan ${planId}. It has: ${plans}.`, 'not_found');
  }
  return product;
}

async function findActivation(db: Db | Tx, customerId: string, productId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('activations')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('service_id', '=', productId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return found?.id;
}

/** A free plan would take its paid pack with it, as a withdrawal would. */
function requireNoPaidPack(replaced: CycleRecord): void {
  const pack = findPaidPack(replaced);
  if (pack === undefined) return;
  const { id, plan, to_date: end } = replaced;
  throw new OperatorRefusal(
    `${plan.name} (${id}) would end, and the customer paid for its pack ${pack}: octroi refund ${pack} first, or grant from the end of the plan on: --from ${end}`,
  );
}

/** Throws OperatorRefusal when the customer can be granted nothing, or not for so many days. */
export async function requireGrantable(db: Db | Tx, customerId: string, days: number): Promise<void> {
  const customer = await db
    .selectFrom('customers')
    .select(['blocked_at', 'erased_at'])
    .where('id', '=', customerId)
    .executeTakeFirst();
  if (!customer) throw noSuchCustomer(customerId);
  if (customer.erased_at !== null) throw new OperatorRefusal(`${customerId} is erased.`);
  if (customer.blocked_at !== null) throw new OperatorRefusal(`${customerId} is blocked; unblock the customer first.`);
  if (!Number.isInteger(days) || days < 1 || days > maxGrantedDays)
    throw new OperatorRefusal(`A plan is granted for 1 to ${maxGrantedDays} days.`, 'invalid_request');
}

async function prepare(
  context: OperatorContext,
  db: Db | Tx,
  order: GrantOrder,
  product: Product,
  activationId: string | undefined,
): Promise<Ready> {
  const { customerId, planId, days } = order;
  await requireGrantable(db, customerId, days);
  const today = dayOf(context.clock());
  const from = order.from ?? today;
  if (from < today)
    throw new OperatorRefusal(`The first day is today (${today}) or later, such as ${today}.`, 'invalid_request');
  // Plans that follow are proposed after the last one, so a slip in the year would be felt.
  const latest = addDays(today, maxGrantedDays);
  if (from > latest)
    throw new OperatorRefusal(
      `The first day is within ${maxGrantedDays} days, at the latest ${latest}.`,
      'invalid_request',
    );
  const plan = findPlan(product, planId);
  if (!plan) throw new Error(`${product.id} lost its plan ${planId}`);
  const terms = grantedTerms(termsOf(plan, from), days);
  const made = await planGrant({ customerId }, db, activationId, { from, days, today });
  const { inTheWay, replaced, firstFree } = made;
  if (inTheWay)
    throw new OperatorRefusal(
      `${inTheWay.plan.name} (${inTheWay.id}) covers ${inTheWay.from_date} to before ${inTheWay.to_date}. The first free day is ${firstFree}: --from ${firstFree}`,
    );
  if (replaced) requireNoPaidPack(replaced);
  return {
    preview: {
      customerId,
      productId: product.id,
      productName: product.name,
      planId: terms.planId,
      planName: terms.name,
      ...made.dates,
      dailyQuota: terms.dailyQuota,
      monthlyQuota: terms.monthlyQuota,
      rps: terms.rps,
      worth: rupees(worthOf(usableUnits(terms, days), pricingPlan(terms, product.plans))),
      activationId: activationId ?? null,
      ...(activationId === undefined
        ? noRenewalEffect
        : await givenDaysEffect({ customerId }, db, activationId, made.dates, context.clock())),
      replaces: replaced ? { cycleId: replaced.id, planName: replaced.plan.name } : null,
    },
    terms,
    product,
    made,
    today,
  };
}
