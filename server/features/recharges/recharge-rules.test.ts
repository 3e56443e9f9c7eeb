import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { setRecharge } from '#shared/contract/recharges.ts';
import { startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, monthOf, nextMonth } from '#shared/domain/month.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { blockCustomer, unblockCustomer } from '#server/features/customers/blocks.ts';
import { useUnits } from '#server/features/usage/test-units.ts';
import { runRounds } from '#server/start-rounds.ts';
import { unrecorded } from '#server/rounds/steps.ts';
import { rechargeDue } from './recharges.ts';
import { useRecharges } from './test-recharges.ts';

const {
  the,
  params,
  recharge,
  agree,
  running,
  useOn,
  packDebits,
  shortages,
  untilTold,
  untilSent,
  untilDebits,
  move,
  goBefore,
  debits,
  counted,
  mandate,
  today,
} = useRecharges();

const db = () => the().portal.portal.db;
const cause = { actor: 'asha', reason: 'A test' };

/** A pack, its order and its debit, as a program would write them that keeps no rule; `askedAt`: a time of the product. */
async function insertDebit(amountPaise: number, askedAt: Date, toldAt: Date, quotaUnits: number): Promise<unknown> {
  const { id: mandateId } = await mandate();
  const { id: cycleId } = await running();
  const suffix = `${quotaUnits}-${askedAt.getTime()}`;
  return db()
    .transaction()
    .execute(async (tx) => {
      await sql`insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure, price_paise, daily_quota, monthly_quota, rps,
          created_at, adds_to)
        select ${`CYC-T${suffix}`}, activation_id, customer_id, service_id, 'PAYMENT_PENDING', ${today()}, to_date, plan || '{"planId": "extra", "pricePaise": 100}', 'MONTHLY',
          ${amountPaise}, 10, 10, rps, created_at, id from cycles where id = ${cycleId}`.execute(tx);
      await sql`insert into payment_orders (id, cycle_id, activation_id, customer_id, amount_paise, currency, status, created_at)
        select ${`ORD-T${suffix}`}, id, activation_id, customer_id, price_paise, 'INR', 'CREATING', ${askedAt} from cycles where id = ${`CYC-T${suffix}`}`.execute(
        tx,
      );
      await sql`insert into recharges (cycle_id, quota_units, activation_id, customer_id, mandate_id, pack_id, units, amount_paise, state, told_at, ends_at, order_id)
        select adds_to, ${quotaUnits}, activation_id, customer_id, ${mandateId}, 'extra', 10, price_paise, 'ASKED', ${toldAt}, ${askedAt}, ${`ORD-T${suffix}`}
        from cycles where id = ${`CYC-T${suffix}`}`.execute(tx);
      await sql`insert into mandate_debits (order_id, mandate_id, cycle_id, activation_id, customer_id, attempt, amount_paise, state, asked_at, next_try_at)
        select ${`ORD-T${suffix}`}, ${mandateId}, id, activation_id, customer_id, 1, price_paise, 'ASKED', ${askedAt}, now() + interval '1 day'
        from cycles where id = ${`CYC-T${suffix}`}`.execute(tx);
      // Nothing of it stays.
      throw new Error('all of it was taken');
    });
}

test('the database keeps the ceiling of a month, the day of notice, and one debit for each shortage', async () => {
  await agree(250);
  await move(2);
  const now = new Date(the().portal.portal.clock());
  await expect(insertDebit(9900, now, new Date(now.getTime() - 50 * 3_600_000), 7)).rejects.toThrow(
    /told before it was agreed to/,
  );
  const before = new Date(now.getTime() - 25 * 3_600_000);
  await expect(insertDebit(25_000, now, before, 7)).rejects.toThrow('all of it was taken');
  await expect(insertDebit(25_001, now, before, 7)).rejects.toThrow(/above what was agreed for the month/);
  await expect(insertDebit(9900, now, new Date(now.getTime() - 23 * 3_600_000), 7)).rejects.toThrow(
    /told within a day/,
  );
  await untilSent();
  const [told] = await shortages();
  const later = new Date(the().portal.portal.clock());
  const dayBefore = new Date(later.getTime() - 25 * 3_600_000);
  // One waits for its result.
  await expect(insertDebit(100, later, dayBefore, 7)).rejects.toThrow(/one_live_recharge|one_unpaid_pack/);
  await move(1.2);
  await untilDebits('PAID');
  await expect(insertDebit(100, later, dayBefore, told?.quota_units ?? 0)).rejects.toThrow(/recharges_pkey/);
  await expect(insertDebit(15_100, later, dayBefore, 7)).rejects.toThrow('all of it was taken');
  await expect(insertDebit(15_101, later, dayBefore, 7)).rejects.toThrow(/above what was agreed for the month/);
  await expect(
    db().updateTable('recharges').set({ state: 'WITHHELD', reason: 'too_soon', order_id: null }).execute(),
  ).rejects.toThrow(/is over/);
});

test('a debit that may be taken in the next month counts in both', async () => {
  await agree(150);
  const turn = startOfDay(firstDayOf(nextMonth(monthOf(today()))));
  // Within two days of the end of a month.
  const asked = new Date(turn - 3_600_000);
  const told = new Date(turn - 30 * 3_600_000);
  await expect(insertDebit(15_000, asked, told, 7)).rejects.toThrow('all of it was taken');
  const { id } = await mandate();
  await db().updateTable('mandates').set({ recharge_monthly_paise: 15_000 }).where('id', '=', id).execute();
  await expect(insertDebit(15_001, asked, told, 7)).rejects.toThrow(/above what was agreed for the month/);
});

test('two portals that look at once ask for one debit', async () => {
  const { portal } = the();
  await agree();
  const tenth = await untilTold();
  await move(1);
  const { id } = await running();
  await useUnits(db(), id, today(), tenth);
  await Promise.all([1, 2, 3, 4].map(() => rechargeDue(portal.portal, unrecorded)));
  await untilDebits('SENT');
  expect(await packDebits()).toHaveLength(1);
  expect(await counted('Recharges soon')).toBe(1);
});

/** The first debit of the month has paid, and the units of its pack run short in three days. */
async function untilSecond() {
  await untilSent();
  await move(1.2);
  await untilDebits('PAID');
  await useOn(2, 10_000);
}

test('what was agreed to for a month is used up: the next shortage is withheld with a word, until more is agreed to', async () => {
  await agree(150);
  await untilSecond();
  expect((await shortages()).at(-1)).toMatchObject({ state: 'WITHHELD', reason: 'monthly_ceiling' });
  expect(await recharge()).toMatchObject({ whyNot: 'monthly_ceiling', left: 51, next: null });
  await runRounds(the().portal.portal);
  expect(await counted('Units run out, no automatic recharge')).toBe(1);
  await agree(198);
  await runRounds(the().portal.portal);
  expect((await shortages()).at(-1)).toMatchObject({ state: 'ANNOUNCED', reason: null });
  await useOn(1, 10_000);
  await untilDebits('PAID', 'SENT');
  await move(1.2);
  await untilDebits('PAID', 'PAID');
  expect((await recharge())?.left).toBe(0);
});

test('a debit that the bank takes after less was agreed to for the month is refunded', async () => {
  await agree(250);
  await untilSecond();
  await useOn(1, 10_000);
  await untilDebits('PAID', 'SENT');
  await agree(150);
  await move(1.2);
  await untilDebits('PAID', 'FAILED');
  const refunds = await db()
    .selectFrom('refunds')
    .select(['amount_paise', 'reason'])
    .where('customer_id', '=', the().customerId)
    .execute();
  expect(refunds).toEqual([{ amount_paise: 9900, reason: 'It is above what was agreed to for the month' }]);
});

test('nothing is debited for a blocked customer; once unblocked, what was told is', async () => {
  const { portal, customerId } = the();
  await agree();
  const tenth = await untilTold();
  await blockCustomer(portal.portal, customerId, cause);
  await useOn(1, tenth);
  expect(await packDebits()).toEqual([]);
  await unblockCustomer(portal.portal, customerId, cause);
  await runRounds(portal.portal);
  await untilDebits('SENT');
});

test('a recharge waits while the renewal is at the bank, and the renewal while a recharge is', async () => {
  await agree();
  await goBefore(5);
  await goBefore(4);
  await untilDebits('SENT');
  const { monthlyQuota, id } = await running();
  await useUnits(db(), id, today(), Math.floor(monthlyQuota * 0.9));
  await runRounds(the().portal.portal);
  expect((await debits().execute()).map(({ first_day: day }) => day !== null)).toEqual([true]);
  expect(await packDebits()).toEqual([]);
});

test('an operator sees what was agreed to and each debit of a pack, and ends all of it with the mandate', async () => {
  const { portal, customerId } = the();
  await agree();
  await untilSent();
  const [listed] = await readAsOperator(portal.portal, 'owner', 'listMandates', { customerId });
  expect(listed).toMatchObject({
    recharge: { packId: 'extra', monthlyCeiling: 250 },
    debits: [{ pays: 'PACK', amount: 99 }],
  });
  await actAsOperator(portal.portal, 'owner', 'endMandate', { mandateId: listed?.id ?? '' }, cause);
  expect(await recharge()).toBe(null);
  expect(
    (await portal.send(setRecharge, { ...params(), body: { packId: 'extra', monthlyCeiling: 250 } }, the().token)).body,
  ).toMatchObject({
    code: 'not_renewing',
  });
});
