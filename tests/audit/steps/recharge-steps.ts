import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endRecharge, setRecharge } from '#shared/contract/recharges.ts';
import { pass } from './renewal-steps.ts';
import type { Stage, Step } from './stage.ts';

const step = (name: string, act: Step['act']): Step => ({ name, act });

/** Agrees that a pack is debited before units run out, within a ceiling for each month. */
export const agreeTo = (packId: string, monthlyCeiling: number) =>
  step(`agree to the pack ${packId}, at most ${monthlyCeiling} in a month`, async ({ customer, activationId }) => {
    await customer.send(setRecharge, { params: { activationId }, body: { packId, monthlyCeiling } });
  });

export const turnRechargeOff = step('turn recharge off', async ({ customer, activationId }) => {
  await customer.send(endRecharge, { params: { activationId } });
});

/** Gateways count by the real day. So units are recorded as they do it, on the day of the story; `$3`: that day. */
const used = [
  `insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at, revoked_at)
    select 'KEY-USED', activation_id, customer_id, 'used', sha256(id::bytea), 'abcd', created_at, created_at from cycles where id = $1 and $2 > 0 and $3 <> ''
    on conflict do nothing`,
  `insert into usage_counts (activation_id, cycle_id, key_id, day, status_class, counted, calls, last_at, units)
    select activation_id, id, 'KEY-USED', $3::date, 2, true, 1, created_at, $2::int from cycles where id = $1`,
  `insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date, quota, taken)
    select s.kind, s.scope_id, c.customer_id, c.service_id, case s.kind when 'cycle' then '-infinity' else $3::date end,
      case s.kind when 'cycle' then 'infinity' else $3::date + 1 end, $2::int, $2::int
    from cycles c cross join quota_scopes(c) s where c.id = $1 and s.kind in ('day', 'cycle')
    on conflict (kind, scope_id, to_date) do update set taken = quota_counters.taken + excluded.taken, quota = quota_counters.quota + excluded.quota`,
];

async function use({ world, bought }: Stage, units: number): Promise<void> {
  const values = [bought[0]?.cycleId, units, await world.today()];
  for (const text of used) await world.rows(z.unknown(), text, values);
}

/** Days pass, and on each of them units of the plan are used. */
export const daysOfUse = (days: number, units: number) =>
  step(`use ${units} units on each of ${days} days`, async (stage) => {
    for (let day = 0; day < days; day += 1) {
      await pass(stage, 24);
      await use(stage, units);
    }
  });

const countRow = z.object({ count: z.number() });
/** The portal looks at what runs out a moment after the clock has moved. */
const until = (name: string, text: string) =>
  step(name, async ({ world }) => {
    const deadline = Date.now() + 60_000;
    while ((await world.rows(countRow, text))[0]?.count !== 1) {
      if (Date.now() > deadline) throw new Error(`not within a minute: ${name}`);
      await sleep(200);
    }
  });

export const packIsTold = until(
  'the pack is told',
  `select count(*)::int as count from recharges where state = 'ANNOUNCED'`,
);
export const packIsAtBank = until(
  'the pack is at the bank',
  `select count(*)::int as count from mandate_debits where first_day is null and state = 'SENT'`,
);
