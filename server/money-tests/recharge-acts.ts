import { buyPack } from '#shared/contract/cycles.ts';
import { endRecharge, setRecharge, skipRecharge } from '#shared/contract/recharges.ts';
import { grantsAccess } from '#shared/domain/cycle.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { act, attempt, cyclesOf, everyStep, type Life, move, payInCheckout, runStep, today } from './renewal-life.ts';

/** What happens to the units of a plan, and to the packs that its mandate debits (decision 080). */

const params = ({ activationId }: Life) => ({ activationId });

/** From now on the model expects no debit of a pack that was agreed to before. */
function endConsent(life: Life): void {
  for (const consent of life.recharges) consent.until ??= life.money.portal.clock();
}

/** The customer agrees to a pack and a ceiling, or changes them. */
export const agreeTo = (packId: 'extra' | 'twin', monthlyCeiling: number) =>
  act(`agree to ${packId}, at most ₹${monthlyCeiling} in a month`, async (life) => {
    const from = life.money.portal.clock();
    const body = { packId, monthlyCeiling };
    const { status } = await attempt(life, setRecharge, { params: params(life), body });
    if (status !== 200) return;
    const { activationId } = life;
    const last = life.recharges.at(-1);
    const goesOn = last?.activationId === activationId && last.packId === packId && last.until === undefined;
    if (goesOn) last.mostPaise = Math.max(last.mostPaise, monthlyCeiling * 100);
    else {
      endConsent(life);
      life.recharges.push({ activationId, packId, mostPaise: monthlyCeiling * 100, from });
    }
  });

export const turnRechargeOff = () =>
  act('turn recharges off', async (life) => {
    const { status } = await attempt(life, endRecharge, { params: params(life) });
    if (status === 200) endConsent(life);
  });

/** The customer skips the pack that was announced last, be it announced still. */
export const skipPack = () =>
  act('skip a pack', async (life) => {
    const told = await life.money.portal.db
      .selectFrom('recharges')
      .select('quota_units')
      .where('activation_id', '=', life.activationId)
      .orderBy('told_at', 'desc')
      .executeTakeFirst();
    if (told) await attempt(life, skipRecharge, { params: params(life), body: { quotaUnits: told.quota_units } });
  });

/** The customer buys a pack by hand: pays for it, or leaves it. */
export const buyByHand = (packId: 'extra' | 'twin', outcome: 'success' | 'pending' | 'failed' | 'not paid') =>
  act(`buy ${packId} by hand: ${outcome}`, async (life) => {
    const response = await attempt(life, buyPack, { params: { ...params(life), packId } });
    if (response.status !== 200 || outcome === 'not paid') return;
    const { billingCycleId } = buyPack.reply.parse(response.body);
    await payInCheckout(life, [billingCycleId ?? ''], { consents: false, outcome, reports: true });
  });

const sum = (rows: readonly { units: number }[]): number => rows.reduce((all, { units }) => all + units, 0);

/** Of the units that the running plan was sold with, today, as far as there are any. */
async function use(life: Life, share: number): Promise<void> {
  const day = today(life);
  const running = (await cyclesOf(life)).find(
    ({ status, from_date: from, to_date: to }) => grantsAccess(status) && from <= day && day < to,
  );
  if (!running) return;
  const { db } = life.money.portal;
  const packs = await db
    .selectFrom('cycles')
    .select('monthly_quota as units')
    .where('adds_to', '=', running.id)
    .where('status', '=', 'PAID')
    .execute();
  const before = await db
    .selectFrom('usage_counts')
    .select('units')
    .where('cycle_id', '=', running.id)
    .where('day', '<>', day)
    .execute();
  // A gateway refuses what is above the quota.
  const left = running.monthly_quota + sum(packs) - sum(before);
  await useUnits(
    db,
    running.id,
    day,
    Math.max(0, Math.min(left, running.daily_quota, Math.floor(running.monthly_quota * share))),
  );
}

/** Days of which each uses a share of the units; everything that is due is done. */
export const daysOfUse = (days: number, share: number) =>
  act(`${days} days that use ${share} of the units`, async (life) => {
    for (let day = 0; day < days; day += 1) {
      await move(life, 1);
      await use(life, share);
      for (const name of everyStep) await runStep(life, name, 'once');
    }
  });

/** Units are used, and nothing runs meanwhile. */
export const useToday = (share: number) => act(`use ${share} of the units`, (life) => use(life, share));
