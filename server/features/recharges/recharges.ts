import type { Renewal } from '#shared/contract/renewals.ts';
import { transaction } from '#shared/database/transaction.ts';
import type { Db, Tx } from '#shared/database/connect.ts';
import { dayOf } from '#shared/domain/day.ts';
import { debitAnsweredWithinMs, isLiveDebit, renewsStill } from '#shared/domain/mandate.ts';
import { rupees, toPaise } from '#shared/domain/money.ts';
import {
  leftOfMonth,
  type NoRecharge,
  noRecharges,
  rechargeNoticeMs,
  toldAtOf,
  whyNotRecharged,
} from '#shared/domain/recharge.ts';
import { happened } from '#server/features/events/events.ts';
import {
  type DebitRow,
  mandateFacts,
  type MandateRow,
  selectDebitsOf,
  updateRecharge,
} from '#server/features/mandates/mandates.ts';
import { lockActivation } from '#server/features/ownership/ownership.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { SignedInMember } from '#server/auth/sessions.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { type OfferedPack, readRechargeFacts, type Recharge } from './facts.ts';

export { rechargeDue } from './recharge-due.ts';

type ShownRecharge = NonNullable<Renewal['recharge']>;

/** What the page of a plan says of its recharges; null without a mandate that is in force for it. */
export async function readRecharge(
  portal: Portal,
  owner: Owner,
  db: Db | Tx,
  activationId: string,
): Promise<ShownRecharge | null> {
  const recharge = await readRechargeFacts(portal, owner, db, activationId, portal.catalog);
  const { facts, mandate, running, packs, told } = recharge;
  if (!mandate || !renewsStill(mandate.state) || running?.plan.planId !== mandate.plan_id) return null;
  const now = portal.clock();
  const { recharge_monthly_paise: monthlyPaise } = mandate;
  const [debit] = await selectDebitsOf(owner, db, activationId, 'packs');
  const ofShortage = debit?.order_id === told?.order_id ? debit : undefined;
  const whyNot = monthlyPaise === null ? null : (whyNotRecharged(facts, now) ?? withheldOf(recharge));
  const isAnnounced = monthlyPaise !== null && whyNot === null && toldAtOf(facts, now) !== undefined;
  return {
    packs: packs.filter(isAllowed(mandate)).map(describePack),
    agreed: describeAgreed(recharge, mandate),
    left:
      monthlyPaise === null
        ? null
        : rupees(Math.max(0, leftOfMonth(monthlyPaise, facts.debits, { askedAt: now, endedAt: now }))),
    endsAt: facts.endsAt === undefined ? null : new Date(facts.endsAt).toISOString(),
    next:
      isAnnounced && told && told.amount_paise !== null
        ? {
            amount: rupees(told.amount_paise),
            askFrom: new Date(told.told_at.getTime() + rechargeNoticeMs).toISOString(),
            quotaUnits: told.quota_units,
          }
        : null,
    underWay: debit && isAtBank(debit, now) ? describeDebit(debit) : null,
    failed: ofShortage?.state === 'FAILED' ? { ...describeDebit(ofShortage), reason: ofShortage.reason } : null,
    whyNot,
  };
}

/** One debit of a mandate is at most its ceiling. */
const isAllowed =
  ({ ceiling_paise: ceiling }: MandateRow) =>
  ({ pricePaise }: OfferedPack): boolean =>
    pricePaise <= ceiling;

const describePack = ({ terms, units, pricePaise }: OfferedPack) => ({
  id: terms.planId,
  name: terms.name,
  units,
  total: rupees(pricePaise),
});

function describeAgreed({ pack }: Recharge, mandate: MandateRow): ShownRecharge['agreed'] {
  const { recharge_pack_id: packId, recharge_monthly_paise: paise, recharge_agreed_at: at } = mandate;
  if (packId === null || paise === null || at === null) return null;
  return {
    packId,
    packName: pack?.terms.name ?? null,
    monthlyCeiling: rupees(paise),
    agreedOn: dayOf(at.getTime()),
  };
}

/** After two days nobody waits for an answer. */
const isAtBank = ({ state, asked_at: at }: DebitRow, now: number): boolean =>
  isLiveDebit(state) && now < at.getTime() + debitAnsweredWithinMs;

/** What the customer was told last, while the units end. */
function withheldOf({ told, facts }: Recharge): NoRecharge | null {
  if (!told || facts.endsAt === undefined) return null;
  return noRecharges.find((reason) => reason === told.reason) ?? null;
}

const describeDebit = (debit: DebitRow) => ({
  amount: rupees(debit.amount_paise),
  askedOn: dayOf(debit.asked_at.getTime()),
});

/** The customer agrees that a pack is debited before units run out, or to another pack or ceiling. */
export async function setRecharge(
  portal: Portal,
  member: SignedInMember,
  activationId: string,
  { packId, monthlyCeiling }: { packId: string; monthlyCeiling: number },
): Promise<void> {
  const monthlyPaise = toPaise(monthlyCeiling);
  await transaction(portal.db, async (tx) => {
    const { mandate, packs } = await requireRenewing(portal, member, tx, activationId);
    const pack = packs.find(({ terms }) => terms.planId === packId);
    if (!pack) throw refuse('not_found');
    if (!isAllowed(mandate)(pack) || monthlyPaise < pack.pricePaise) throw refuse('invalid_request');
    const at = new Date(portal.clock());
    await tx
      .updateTable('mandates')
      .set({
        recharge_pack_id: packId,
        recharge_monthly_paise: monthlyPaise,
        // Since when it holds without a break: another ceiling leaves what was told, and what is at the bank.
        ...(mandate.recharge_pack_id !== packId && { recharge_agreed_at: at }),
      })
      .where('id', '=', mandate.id)
      .execute();
    const { pricePaise, units, terms } = pack;
    const about = {
      ...(await mandateFacts(tx, mandate, at)),
      packName: terms.name,
      units,
      pricePaise,
      monthlyPaise,
      agreedBy: await nameOf(member, tx),
      at,
    };
    await happened(portal, member, tx, { type: 'recharge.agreed', ...about });
  });
}

/** As the mail about it names who agreed: others read it too. */
async function nameOf({ memberId }: SignedInMember, tx: Tx): Promise<string> {
  const { name, email } = await tx
    .selectFrom('members')
    .select(['name', 'email'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow();
  return `${name} (${email})`;
}

/** No pack is debited from now on; what the bank still takes is refunded. No error when it is off. */
export async function endRecharge(portal: Portal, owner: Owner, activationId: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    if (!(await lockActivation(owner, tx, activationId))) throw refuse('not_found');
    const ended = await tx
      .updateTable('mandates')
      .set({ recharge_pack_id: null, recharge_monthly_paise: null, recharge_agreed_at: null })
      .where('activation_id', '=', activationId)
      .where('customer_id', '=', owner.customerId)
      .where('recharge_pack_id', 'is not', null)
      .where('state', 'in', ['IN_FORCE', 'PAUSED'])
      .returningAll()
      .executeTakeFirst();
    if (!ended) return;
    const at = new Date(portal.clock());
    await happened(portal, owner, tx, { type: 'recharge.ended', ...(await mandateFacts(tx, ended, at)), at });
  });
}

/** The customer skips what was announced for a shortage. */
export async function skipRecharge(
  portal: Portal,
  owner: Owner,
  activationId: string,
  quotaUnits: number,
): Promise<void> {
  await transaction(portal.db, async (tx) => {
    const { mandate, running, told, pack } = await requireRenewing(portal, owner, tx, activationId);
    if (!running || !told || told.quota_units !== quotaUnits) throw refuse('not_found');
    if (told.state === 'SKIPPED') return;
    if (told.state !== 'ANNOUNCED') throw refuse(told.state === 'ASKED' ? 'payment_under_way' : 'not_found');
    await updateRecharge(tx, told, { state: 'SKIPPED', reason: null });
    const at = new Date(portal.clock());
    const facts = { ...(await mandateFacts(tx, mandate, at)), cycleId: running.id, quotaUnits, at };
    const packName = pack?.terms.name ?? told.pack_id;
    await happened(portal, owner, tx, { type: 'recharge.skipped', ...facts, packName, by: 'CUSTOMER' });
  });
}

/** A plan that runs and renews by a mandate in force. Takes the activation's lock. */
async function requireRenewing(portal: Portal, owner: Owner, tx: Tx, activationId: string) {
  if (!(await lockActivation(owner, tx, activationId))) throw refuse('not_found');
  const recharge = await readRechargeFacts(portal, owner, tx, activationId, portal.catalog);
  const { mandate, running } = recharge;
  if (!mandate || !renewsStill(mandate.state) || running?.plan.planId !== mandate.plan_id) throw refuse('not_renewing');
  return { ...recharge, mandate };
}
