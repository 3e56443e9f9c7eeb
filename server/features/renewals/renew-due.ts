import type { Product } from '#catalog/catalog.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { announcedBefore, askedBefore, maxDebits, nextDebitDay, renewalStep } from '#shared/domain/mandate.ts';
import { createCycle, endingPlans, priceDue, selectUnpaidOn } from '#server/features/cycles/cycles.ts';
import { checkMandate, updateAnnounced } from '#server/features/mandates/mandates.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { orderDebit, requireBuyer } from '#server/features/payments/payments.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import type { Items } from '#server/rounds/steps.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { readRenewalFacts, type Renewal } from './facts.ts';

/** Announces the renewals of the next days, and asks for those that are due. Each is done once, however often this runs. */
export async function renewDue(portal: Portal, items: Items): Promise<void> {
  const today = dayOf(portal.clock());
  for (const { id, customer_id: customerId } of await selectDue(portal, today)) {
    if (items.stopping?.aborted) return;
    await items.each(id, () => renew(portal, { customerId }, id, today));
  }
}

/** Activations with a mandate whose plan ends within five days: nothing was announced, or nothing asked for yet, or the first debit failed. */
function selectDue(portal: Portal, today: Day) {
  return endingPlans(portal.db, today)
    .innerJoin('mandates', 'mandates.activation_id', 'cycles.activation_id')
    .innerJoin('activations', 'activations.id', 'cycles.activation_id')
    .select(['activations.id', 'activations.customer_id'])
    .where('activations.deleted_at', 'is', null)
    .where('mandates.state', 'in', ['IN_FORCE', 'PAUSED'])
    .where('cycles.to_date', '<=', addDays(today, announcedBefore))
    .where((of) =>
      of.or([
        of('mandates.announced_for', 'is distinct from', of.ref('cycles.to_date')),
        of.and([
          of('cycles.to_date', '<=', addDays(today, askedBefore)),
          of('mandates.announced_on', '<', today),
          of.not(
            of.exists(
              of
                .selectFrom('mandate_debits')
                .innerJoin('cycles as next', 'next.id', 'mandate_debits.cycle_id')
                .select('next.id')
                .whereRef('next.activation_id', '=', 'cycles.activation_id')
                .whereRef('next.from_date', '=', 'cycles.to_date')
                .where((debit) =>
                  debit.or([
                    debit('mandate_debits.state', 'in', ['ASKED', 'SENT', 'PAID']),
                    debit('mandate_debits.attempt', '=', maxDebits),
                  ]),
                ),
            ),
          ),
        ]),
      ]),
    )
    .orderBy('cycles.to_date')
    .orderBy('cycles.id')
    .execute();
}

async function renew(portal: Portal, owner: Owner, activationId: string, today: Day): Promise<void> {
  const { result: due } = await changeAccess(portal, (change) =>
    stepLocked(portal, owner, change, { activationId, today, isChecked: false }),
  );
  if (due === undefined) return;
  // Other systems are asked while no activation is locked. What was ended in the UPI app is not announced, though its event was lost.
  if (due.do === 'announce') await checkMandate(portal, due.mandateId);
  else await requireBuyer(portal, owner);
  await changeAccess(portal, (change) => stepLocked(portal, owner, change, { activationId, today, isChecked: true }));
}

/** Does what is due. What needs a look at other systems first is returned, and done when that look has been had. */
async function stepLocked(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  { activationId, today, isChecked }: { activationId: string; today: Day; isChecked: boolean },
): Promise<{ do: 'announce' | 'ask'; mandateId: string } | undefined> {
  const { tx } = change;
  const activation = await lockActivation(owner, tx, activationId);
  if (!activation) return undefined;
  const renewal = await readRenewalFacts(portal, owner, tx, activation, await catalogForSale(portal, tx));
  const { mandate, last, next } = renewal;
  const step = renewalStep(renewal.facts, today);
  if (!mandate || !last || step.do === 'nothing') return undefined;
  const about = { mandateId: mandate.id, activationId, planName: mandate.plan_name, cycleId: last.id };
  if (step.do === 'withhold') {
    const { reason, for: toDate } = step;
    // The customer skipped or removed it, and an account that is blocked was told so.
    if (reason !== 'skipped' && reason !== 'given_up' && reason !== 'blocked')
      await happened(portal, owner, tx, { type: 'renewal.withheld', ...about, reason, toDate });
    return undefined;
  }
  if (!isChecked) return { do: step.do, mandateId: mandate.id };
  if (step.do === 'announce' && next) {
    await updateAnnounced(tx, mandate, { ...step, on: today });
    await happened(portal, owner, tx, {
      type: 'renewal.announced',
      ...about,
      dates: next.dates,
      amountPaise: step.paise,
      debitOn: nextDebitDay(step.for, today),
      pinEachTime: mandate.pin_each_time,
    });
  }
  if (step.do === 'ask') await ask(portal, owner, change, renewal, activationId, step);
  return undefined;
}

/** The next cycle, its order and its debit: all of them or none. */
async function ask(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  { mandate, next, unpaid }: Renewal,
  activationId: string,
  { for: startDate, paise, attempt }: { for: Day; paise: number; attempt: number },
): Promise<void> {
  if (!mandate || !next) return;
  const asked = { activationId, product: next.product, planId: mandate.plan_id, startDate };
  const cycle = unpaid ?? (await addNext(portal, owner, change, asked));
  // Of other terms than on sale, or of another price than announced: the customer pays it, or adds it anew.
  if (!cycle || (await priceDue(portal, owner, change.tx, cycle)) !== paise) return;
  await orderDebit(portal, owner, change.tx, cycle, { mandateId: mandate.id, attempt, amountPaise: paise });
}

async function addNext(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  asked: { activationId: string; product: Product; planId: string; startDate: Day },
) {
  const { billingCycleId } = await createCycle(portal, owner, change, asked);
  const waiting = await selectUnpaidOn(owner, change.tx, asked.activationId, asked.startDate);
  return waiting.find(({ id }) => id === billingCycleId);
}
