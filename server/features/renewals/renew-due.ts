import type { Product } from '#catalog/catalog.ts';
import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Tx } from '#shared/database/connect.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { announcedBefore, askedBefore, maxDebits, nextDebitDay } from '#shared/domain/mandate.ts';
import { type NoRenewal, renewalStep } from '#shared/domain/renewal.ts';
import {
  createCycle,
  type CycleRow,
  endForCause,
  endingPlans,
  isOnSale,
  type NextPlan,
  selectUnpaidOn,
} from '#server/features/cycles/cycles.ts';
import {
  checkMandate,
  type MandateRow,
  refusedAs,
  updateAnnounced,
  updateSkipped,
  withholdDebit,
} from '#server/features/mandates/mandates.ts';
import { happened } from '#server/features/events/events.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { orderDebit, requireBuyer } from '#server/features/payments/payments.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import type { Items } from '#server/rounds/steps.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { readRenewalFacts, type Renewal } from './facts.ts';
import { tellMissed } from './missed.ts';

/** Announces the renewals of the next days, and asks for those that are due. Each is done once, however often this runs. */
export async function renewDue(portal: Portal, items: Items): Promise<void> {
  const today = dayOf(portal.clock());
  for (const { id, customer_id: customerId } of await selectDue(portal, today)) {
    if (items.stopping?.aborted) return;
    await items.each(id, () => renew(portal, { customerId }, id, today));
  }
  await tellMissed(portal, items, today);
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
                .select('order_id')
                .whereRef('mandate_debits.activation_id', '=', 'cycles.activation_id')
                .whereRef('mandate_debits.first_day', '=', 'cycles.to_date')
                .where((debit) =>
                  debit.or([
                    debit('mandate_debits.state', 'in', ['ASKED', 'SENT', 'PAID']),
                    debit.and([
                      debit('mandate_debits.attempt', '=', maxDebits),
                      debit('mandate_debits.state', '=', 'FAILED'),
                    ]),
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

type Due = 'announce' | 'ask' | 'withhold';

/** What became of the renewal of an activation today. */
export type Renewed =
  | { is: 'nothing' | 'announced' | 'asked' }
  | { is: 'due'; to: Due; mandateId: string }
  /** The plan ends, or has ended; the customer is told so. */
  | { is: 'withheld'; reason: NoRenewal };

/** Whatever is refused on the way to a debit withholds it; what fails is tried again, and withheld once it is too late (`tellMissed`). */
async function renew(portal: Portal, owner: Owner, activationId: string, today: Day): Promise<Renewed> {
  const about = { activationId, today };
  const { result } = await changeAccess(portal, (change) => stepLocked(portal, owner, change, about, undefined));
  if (result.is !== 'due') return result;
  try {
    // Other systems are asked while no activation is locked. What was ended in the UPI app is not announced, though its event was lost.
    if (result.to === 'announce') await checkMandate(portal, result.mandateId);
    if (result.to === 'ask') await requireBuyer(portal, owner);
    return (await changeAccess(portal, (change) => stepLocked(portal, owner, change, about, result.to))).result;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = refusedAs(error);
    portal.log.warn({ err: error, activationId, reason }, 'a renewal that was announced is withheld');
    const { result: withheld } = await changeAccess(portal, async ({ tx }): Promise<Renewed> => {
      const renewal = await readLocked(portal, owner, tx, activationId);
      const step = renewal && renewalStep(renewal.facts, today);
      if (renewal && step?.do === 'withhold')
        return withhold(portal, owner, tx, renewal, { reason: step.reason, today });
      // Something else may have come meanwhile.
      if (renewal === undefined || step?.do !== 'ask') return { is: 'nothing' };
      return withhold(portal, owner, tx, renewal, { reason, today });
    });
    return withheld;
  }
}

async function readLocked(portal: Portal, owner: Owner, tx: Tx, activationId: string): Promise<Renewal | undefined> {
  const activation = await lockActivation(owner, tx, activationId);
  return activation && readRenewalFacts(portal, owner, tx, activation, await catalogForSale(portal, tx));
}

/** Does what is due; `due`: it needs a look at other systems first. `ready`: what that was done for. */
async function stepLocked(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  { activationId, today }: { activationId: string; today: Day },
  ready: Due | undefined,
): Promise<Renewed> {
  const { tx } = change;
  const renewal = await readLocked(portal, owner, tx, activationId);
  const step = renewal && renewalStep(renewal.facts, today);
  if (!renewal?.mandate || !step || step.do === 'nothing') return { is: 'nothing' };
  const { mandate, next } = renewal;
  if (step.do === 'withhold') {
    // The customer is given the next period to pay for, when it can be added.
    const isBehind = next !== undefined && isBehindRecharge(renewal, step.reason);
    if (isBehind && !ready) return { is: 'due', to: 'withhold', mandateId: mandate.id };
    const cycle = isBehind
      ? (renewal.unpaid ?? (await addNext(portal, owner, change, nextOf(mandate, next))))
      : undefined;
    return withhold(portal, owner, tx, renewal, { reason: step.reason, today, toPay: cycle?.id });
  }
  // With a price, the plan is on sale.
  if (!next) throw new Error(`the next plan of ${activationId} has a price and no terms`);
  if (ready === 'withhold') return { is: 'nothing' };
  if (!ready) return { is: 'due', to: step.do, mandateId: mandate.id };
  if (step.do === 'ask') {
    await ask(portal, owner, change, { ...renewal, mandate, next }, step);
    return { is: 'asked' };
  }
  await updateAnnounced(tx, mandate, { ...step, on: today });
  await happened(portal, owner, tx, {
    type: 'renewal.announced',
    ...eventFacts(renewal, mandate),
    dates: next.dates,
    amountPaise: step.paise,
    debitOn: nextDebitDay(step.for, today),
    pinEachTime: mandate.pin_each_time,
    replacesPaise: (await isReplaced(portal, owner, tx, renewal)) ? (renewal.unpaid?.price_paise ?? null) : null,
    on: today,
    ...(mandate.withheld_for === step.for && mandate.withheld_reason === 'given_days' && { isAgain: true }),
  });
  return { is: 'announced' };
}

const eventFacts = ({ renewed }: Renewal, mandate: MandateRow) => ({
  mandateId: mandate.id,
  activationId: mandate.activation_id,
  planName: mandate.plan_name,
  cycleId: renewed?.id ?? '',
});

/** Is the debit of a pack, which the bank has not answered, why the next one can't be asked for in time? */
const isBehindRecharge = ({ facts }: Renewal, reason: NoRenewal): boolean =>
  reason === 'not_in_time' && facts.isPackAtBank && facts.mandate?.announced?.for === facts.last?.toDate;

/** Says that there is no debit. The customer who skipped or removed it knows. */
async function withhold(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  renewal: Renewal,
  { reason, today, toPay = null }: { reason: NoRenewal; today: Day; toPay?: string | null | undefined },
): Promise<Renewed> {
  const { mandate, last } = renewal;
  if (!mandate || !last || reason === 'skipped' || reason === 'given_up') return { is: 'nothing' };
  const about = { ...eventFacts(renewal, mandate), toDate: last.to_date, on: today };
  const behind = isBehindRecharge(renewal, reason) && { behindRecharge: { cycleId: toPay } };
  await withholdDebit(portal, owner, tx, { ...about, reason, ...behind });
  return { is: 'withheld', reason };
}

/** The next cycle, its order and its debit: all of them or none. */
async function ask(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  { mandate, next, unpaid, debits }: Renewal & { mandate: MandateRow; next: NextPlan },
  { paise, attempt }: { paise: number; attempt: number },
): Promise<void> {
  const add = () => addNext(portal, owner, change, nextOf(mandate, next));
  let cycle = unpaid ?? (await add());
  if (await isReplaced(portal, owner, change.tx, { unpaid, debits })) {
    // Nothing is skipped by that.
    await endForCause(portal, owner, change, cycle, 'replaced');
    await updateSkipped(change.tx, mandate, mandate.skipped_for);
    cycle = await add();
  }
  await orderDebit(portal, owner, change.tx, cycle, { mandateId: mandate.id, attempt, amountPaise: paise });
}

/** What the customer had added on other terms can't be paid any more: what is announced takes its place, unless a debit for it has failed. */
async function isReplaced(
  portal: Portal,
  owner: Owner,
  tx: Tx,
  { unpaid, debits }: Pick<Renewal, 'unpaid' | 'debits'>,
) {
  if (!unpaid || debits.length > 0) return false;
  return !(await isOnSale(portal, owner, tx, unpaid, dayOf(portal.clock())));
}

const nextOf = ({ activation_id: activationId, plan_id: planId }: MandateRow, { product, dates }: NextPlan) => ({
  activationId,
  product,
  planId,
  startDate: dates.fromDate,
});

async function addNext(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  asked: { activationId: string; product: Product; planId: string; startDate: Day },
): Promise<CycleRow> {
  const { billingCycleId } = await createCycle(portal, owner, change, asked);
  const waiting = await selectUnpaidOn(owner, change.tx, asked.activationId, asked.startDate);
  const added = waiting.find(({ id }) => id === billingCycleId);
  if (!added) throw new Error(`the plan ${asked.planId} costs nothing, and was to be debited`);
  return added;
}
