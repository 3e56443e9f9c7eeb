import { type AccessChange, changeAccess } from '#shared/database/access.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { transaction } from '#shared/database/transaction.ts';
import { dayOf } from '#shared/domain/day.ts';
import { debitAnsweredWithinMs } from '#shared/domain/mandate.ts';
import { type NoRecharge, rechargeNoticeMs, type RechargeStep, rechargeStep } from '#shared/domain/recharge.ts';
import { type CycleRecord, orderPack, selectCycle } from '#server/features/cycles/cycles.ts';
import { happened } from '#server/features/events/events.ts';
import {
  checkMandate,
  mandateFacts,
  type MandateRow,
  refusedAs,
  tellRechargeGivenUp,
  tellRechargeGivenUpLate,
  upsertRecharge,
} from '#server/features/mandates/mandates.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { orderRecharge, requireBuyer } from '#server/features/payments/payments.ts';
import { Refusal } from '#server/refusals/refuse.ts';
import { catalogForSale } from '#server/current-catalog.ts';
import type { Items } from '#server/rounds/steps.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type OfferedPack, readRechargeFacts, type Recharge } from './facts.ts';
import { selectShort } from './store.ts';

/** Announces the recharges of plans whose units end in the next days, and asks for those that are due. Each is done once, however often this runs. */
export async function rechargeDue(portal: Portal, items: Items): Promise<void> {
  for (const { id, customerId } of await selectShort(portal.db, portal.clock())) {
    if (items.stopping?.aborted) return;
    await items.each(id, () => recharge(portal, { customerId }, id));
  }
  for (const { order_id: orderId } of await selectUnanswered(portal.db, portal.clock()).execute())
    await items.each(orderId, () => tellUnanswered(portal, orderId));
}

/** Debits of packs that the bank has not answered in two days, and whose customers were not told so. */
const selectUnanswered = (db: Db | Tx, nowMs: number) =>
  db
    .selectFrom('mandate_debits')
    .innerJoin('recharges', 'recharges.order_id', 'mandate_debits.order_id')
    .innerJoin('cycles', 'cycles.id', 'recharges.cycle_id')
    .selectAll('mandate_debits')
    .where('mandate_debits.state', 'in', ['ASKED', 'SENT'])
    .where('mandate_debits.asked_at', '<=', new Date(nowMs - debitAnsweredWithinMs))
    .where('recharges.reason', 'is', null)
    // Later nobody needs its units.
    .where('cycles.to_date', '>', dayOf(nowMs))
    .orderBy('mandate_debits.order_id');

async function tellUnanswered(portal: Portal, orderId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    const unanswered = selectUnanswered(tx, portal.clock()).where('mandate_debits.order_id', '=', orderId);
    const read = await unanswered.executeTakeFirst();
    if (!read) return;
    await lockActivation({ customerId: read.customer_id }, tx, read.activation_id);
    const debit = await unanswered.executeTakeFirst();
    if (debit) await tellRechargeGivenUp(portal, tx, debit, { is: 'no_answer' });
  });
}

/** Whatever is refused on the way to a debit withholds it. */
async function recharge(portal: Portal, owner: Owner, activationId: string): Promise<void> {
  // Mostly there is nothing to do, and nobody waits for a lock.
  const { facts, mandate } = await readRechargeFacts(portal, owner, portal.db, activationId, portal.catalog);
  const step = rechargeStep(facts, portal.clock());
  if (step.do === 'nothing' || !mandate) return;
  try {
    // Other systems are asked while no activation is locked. What was ended in the UPI app is not announced, though its event was lost.
    if (step.do === 'announce') await checkMandate(portal, mandate.id);
    if (step.do === 'ask') await requireBuyer(portal, owner);
    await changeAccess(portal, (change) => stepLocked(portal, owner, change, activationId));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reason = refusedAs(error);
    portal.log.warn({ err: error, activationId, reason }, 'a recharge that was announced is withheld');
    await changeAccess(portal, (change) => stepLocked(portal, owner, change, activationId, reason));
  }
}

/** Does what is due. `refusal`: what was to be asked for is withheld. Requires nothing. */
async function stepLocked(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  activationId: string,
  refusal?: NoRecharge,
): Promise<void> {
  const { tx } = change;
  if (!(await lockActivation(owner, tx, activationId))) return;
  const catalog = await catalogForSale(portal, tx);
  const recharge = await readRechargeFacts(portal, owner, tx, activationId, catalog);
  const { mandate, running } = recharge;
  const due = rechargeStep(recharge.facts, portal.clock());
  // Something else may have come meanwhile.
  if (!mandate || !running || due.do === 'nothing' || (refusal && due.do !== 'ask')) return;
  const step: RechargeStep = refusal ? { do: 'withhold', reason: refusal } : due;
  const { facts, told } = recharge;
  if (step.do === 'give up') {
    if (told?.order_id && facts.endsAt !== undefined)
      await tellRechargeGivenUpLate(portal, tx, told.order_id, new Date(facts.endsAt));
  } else if (step.do === 'ask') {
    if (recharge.pack) await ask(portal, owner, change, { ...recharge, running, pack: recharge.pack });
  } else await tell(portal, owner, change, { ...recharge, mandate, running }, step);
}

async function tell(
  portal: Portal,
  owner: Owner,
  { tx }: AccessChange,
  { facts, pack, quotaUnits, ...of }: Recharge & { mandate: MandateRow; running: CycleRecord },
  step: Extract<RechargeStep, { do: 'announce' | 'withhold' }>,
): Promise<void> {
  const { mandate, running } = of;
  const at = new Date(portal.clock());
  const endsAt = new Date(facts.endsAt ?? portal.clock());
  const packId = mandate.recharge_pack_id ?? '';
  await upsertRecharge(owner, tx, {
    cycle_id: running.id,
    quota_units: quotaUnits,
    activation_id: mandate.activation_id,
    mandate_id: mandate.id,
    pack_id: packId,
    units: pack?.units ?? null,
    amount_paise: pack?.pricePaise ?? null,
    state: step.do === 'announce' ? 'ANNOUNCED' : 'WITHHELD',
    reason: step.do === 'announce' ? null : step.reason,
    told_at: at,
    ends_at: endsAt,
  });
  const about = {
    ...(await mandateFacts(tx, mandate, at)),
    cycleId: running.id,
    packName: pack?.terms.name ?? packId,
    quotaUnits,
    at,
    endsAt,
  };
  if (step.do === 'withhold') {
    await happened(portal, owner, tx, { type: 'recharge.withheld', ...about, reason: step.reason });
    return;
  }
  await happened(portal, owner, tx, {
    type: 'recharge.announced',
    ...about,
    units: pack?.units ?? 0,
    amountPaise: step.paise,
    askFrom: new Date(at.getTime() + rechargeNoticeMs),
    pinEachTime: mandate.pin_each_time,
  });
}

/** The pack, its order and its debit: all of them or none. */
async function ask(
  portal: Portal,
  owner: Owner,
  change: AccessChange,
  { running, pack, told }: Recharge & { running: CycleRecord; pack: OfferedPack },
): Promise<void> {
  if (!told || told.amount_paise === null) throw new Error(`the recharge of ${running.id} was not announced`);
  const { billingCycleId } = await orderPack(portal, owner, change, running, pack.terms);
  const added = await selectCycle(owner, change.tx, running.activation_id, billingCycleId);
  if (!added) throw new Error(`the pack ${billingCycleId} is not there`);
  await orderRecharge(portal, owner, change.tx, added, { ...told, amount_paise: told.amount_paise });
}
