import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Tx } from '#shared/database/connect.ts';
import { faultsOfCustomers } from '#server/features/ledger/changed-customers.ts';
import { verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { useRecharges } from './test-recharges.ts';

const { the, agree, running, untilTold, untilSent, untilDebits, move, mandate, today, packDebits } = useRecharges();

/** Runs as the owner of the tables, and rolls all of it back. */
async function rolledBack<T>(act: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = await the().portal.owner.db.startTransaction().execute();
  try {
    return await act(tx);
  } finally {
    await tx.rollback().execute();
  }
}

const hourMs = 3_600_000;

/** A debit of a pack that was told 25 hours ago, as a program would write it that keeps no rule; `before`: what else it changes. */
const debitAfter = (before: string) =>
  rolledBack(async (tx) => {
    const [{ id: mandateId, activation_id: activationId }, { id: cycleId }] = [await mandate(), await running()];
    const now = new Date(the().portal.portal.clock());
    const told = new Date(now.getTime() - 25 * hourMs);
    await sql`insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure, price_paise, daily_quota, monthly_quota, rps,
        created_at, adds_to)
      select 'CYC-T', activation_id, customer_id, service_id, 'PAYMENT_PENDING', ${today()}, to_date, plan || '{"planId": "extra", "pricePaise": 9900}', 'MONTHLY',
        9900, 10, 10, rps, created_at, id from cycles where id = ${cycleId}`.execute(tx);
    await sql`insert into payment_orders (id, cycle_id, activation_id, customer_id, amount_paise, currency, status, created_at)
      select 'ORD-T', id, activation_id, customer_id, price_paise, 'INR', 'CREATING', ${now} from cycles where id = 'CYC-T'`.execute(
      tx,
    );
    await sql`insert into recharges (cycle_id, quota_units, activation_id, customer_id, mandate_id, pack_id, units, amount_paise, state, told_at, ends_at, order_id)
      select adds_to, 7, activation_id, customer_id, ${mandateId}, 'extra', 10, price_paise, 'ASKED', ${told}, ${now}, 'ORD-T'
      from cycles where id = 'CYC-T'`.execute(tx);
    if (before !== '') {
      const { numAffectedRows } = await sql.raw(before.replaceAll('$activation', `'${activationId}'`)).execute(tx);
      expect(numAffectedRows).not.toBe(0n);
    }
    await sql`insert into mandate_debits (order_id, mandate_id, cycle_id, activation_id, customer_id, attempt, amount_paise, state, asked_at, next_try_at)
      select 'ORD-T', ${mandateId}, id, activation_id, customer_id, 1, 9900, 'ASKED', ${now}, now() from cycles where id = 'CYC-T'`.execute(
      tx,
    );
  });

const ofMandate = (set: string) => `update mandates set ${set} where activation_id = $activation`;

test.each([
  ['it was turned off', ofMandate('recharge_pack_id = null, recharge_monthly_paise = null, recharge_agreed_at = null')],
  ['another pack was agreed to', ofMandate(`recharge_pack_id = 'twin'`)],
  ['it was agreed to after its notice', ofMandate(`recharge_agreed_at = recharge_agreed_at + interval '1 day'`)],
  ['less is agreed to for a month', ofMandate('recharge_monthly_paise = 9899')],
  ['the mandate is paused', ofMandate(`state = 'PAUSED'`)],
  [
    'the mandate has ended',
    ofMandate(`state = 'ENDED', ended_by = 'CUSTOMER', ended_at = now(), next_check_at = now()`),
  ],
  [
    'the customer is blocked',
    `update customers set blocked_at = now(), blocked_reason = 'x' where id = (select customer_id from activations where id = $activation)`,
  ],
  ['its pack was removed', `update cycles set status = 'REMOVED', ended_at = now() where id = 'CYC-T'`],
  ['its pack has another price', `update cycles set price_paise = 9800 where id = 'CYC-T'`],
] as const)('the database refuses the debit of a pack when %s', async (_what, before) => {
  await agree();
  await move(2);
  await expect(debitAfter('')).resolves.toBeUndefined();
  await expect(debitAfter(before)).rejects.toThrow(
    /may not be debited|not in force|agreed for the month|told before it was agreed|is blocked|has other|violates|cannot|never changes/,
  );
});

test.each([
  ['units of what was told', `update recharges set units = units + 1 where order_id is null`],
  ['the time of a notice', `update recharges set told_at = told_at - interval '1 day' where order_id is null`],
  ['the price of a pack', `update recharges set amount_paise = amount_paise - 100 where order_id is null`],
  ['a skip of the customer', `update recharges set state = 'SKIPPED' where state = 'ANNOUNCED'`],
  ['a notice', `delete from recharges where order_id is null`],
] as const)('the ledger reports that %s was changed behind the portal', async (_what, plant) => {
  await agree();
  await untilTold();
  const says = expect.stringMatching(/recharge of \S+ .*(has been changed|is missing)/);
  expect(await reportsOf(plant)).toEqual([says, says]);
});

test.each([
  [
    'what was agreed to for a month',
    `update mandates set recharge_monthly_paise = 100000 where recharge_pack_id is not null`,
    /mandate \S+ has been changed/,
  ],
  [
    'the pack that was agreed to',
    `update mandates set recharge_pack_id = 'huge' where recharge_pack_id is not null`,
    /mandate \S+ has been changed/,
  ],
  [
    'a debit that paid',
    `update mandate_debits set amount_paise = 100 where first_day is null and state = 'PAID'`,
    /debit of order \S+ has been changed/,
  ],
  [
    'the shortage of a debit',
    `update recharges set quota_units = quota_units + 1 where order_id is not null`,
    /recharge of \S+ .*(added|changed|missing)/,
  ],
] as const)(
  'after a pack was paid, the ledger reports that %s was changed behind the portal',
  async (_what, plant, says) => {
    await agree();
    await untilSent();
    await move(1.2);
    await untilDebits('PAID');
    expect(await packDebits()).toHaveLength(1);
    expect(await reportsOf(plant)).toEqual([expect.stringMatching(says), expect.stringMatching(says)]);
  },
);

/** What the verification of all, and the check of what is new, say when something is changed with every trigger off. */
async function reportsOf(plant: string): Promise<string[]> {
  const { customerId } = the();
  const intrude = async (tx: Tx) => {
    await sql`select chain_seals(100000)`.execute(tx);
    await sql`set local session_replication_role = replica`.execute(tx);
    const { numAffectedRows } = await sql.raw(`${plant} and customer_id = '${customerId}'`).execute(tx);
    expect(numAffectedRows).toBe(1n);
  };
  const all = await rolledBack(async (tx) => {
    await intrude(tx);
    return verifyWithin(tx);
  });
  const ofNew = await rolledBack(async (tx) => {
    await intrude(tx);
    return faultsOfCustomers(tx, [customerId], 100);
  });
  return [all.faults.join('\n'), ofNew.join('\n')];
}
