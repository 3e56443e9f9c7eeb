import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '#shared/database/connect.ts';
import { faultsOfCustomers } from '#server/features/ledger/changed-customers.ts';
import { verifyWithin } from '#server/features/ledger/verify-ledger.ts';
import { recordDispute } from '#server/features/payments/disputes.ts';
import { readSettlements } from '#server/features/settlements/read.ts';
import { type PaidElsewhere, startElsewhere } from './test-elsewhere.ts';
import { type Money, startMoney } from './test-money.ts';

let money: Money;
let paid: PaidElsewhere;
beforeAll(async () => {
  money = await startMoney();
  const { portal } = money;
  const elsewhere = startElsewhere(money);
  await money.behave({ disputes: 'hold', webhooks: { enabled: false } });
  const settle = async () => {
    const { id } = await money.standin('POST', '/standin/settlements', {});
    await readSettlements(portal);
    return String(id);
  };
  // One settlement that the bank returned, one that stands, a dispute that was won, one that took more than was left, and a refund after it.
  const [returned, won, lost] = [await elsewhere.paid(), await elsewhere.paid(), await elsewhere.paid()];
  await money.standin('POST', `/standin/settlements/${await settle()}/fail`, {});
  await settle();
  for (const [one, status] of [[won, 'won'] as const, [lost, 'lost'] as const]) {
    const dispute = await money.standin('POST', `/standin/payments/${one.paymentId}/dispute`, {});
    await recordDispute(portal, String(dispute['id']));
    if (status === 'lost') await elsewhere.deliverRefundWebhook(one, await elsewhere.refundOnDashboard(one, 100_000));
    await money.standin('POST', `/standin/disputes/${String(dispute['id'])}/${status}`, {});
    await recordDispute(portal, String(dispute['id']));
  }
  await elsewhere.deliverRefundWebhook(lost, await elsewhere.refundOnDashboard(lost, 10_000));
  await money.work();
  paid = returned;
  await sql`select chain_seals(100000)`.execute(portal.db);
  const faults = await money.faults();
  if (faults.length > 0) throw new Error(`faults before anything was planted: ${faults.join('; ')}`);
});
afterAll(() => money.close());

const item = () => `entity_id = '${paid.paymentId}' and returned_at is null`;
const entry = (kind: string) => `select id from ledger_entries where kind = '${kind}'`;

/** Direct changes with all triggers off, and what both checks must say. */
const plants: [string, () => string, RegExp][] = [
  [
    'the fee of an item',
    () => `update settlement_items set fee_paise = fee_paise + 1 where ${item()}`,
    /does not match its entry/,
  ],
  [
    'the GST on a fee',
    () => `update settlement_items set tax_paise = tax_paise - 1 where ${item()}`,
    /does not match its entry/,
  ],
  [
    'the amount in the bank',
    () => `update settlement_items set credit_paise = credit_paise + 100 where ${item()}`,
    /does not match its entry/,
  ],
  [
    'the mark of a booked item',
    () => `update settlement_items set booked_at = null where ${item()}`,
    /does not match its entry/,
  ],
  ['an item that is gone', () => `delete from settlement_items where ${item()}`, /has no such item of a settlement/],
  [
    'an item in another settlement',
    () => `update settlement_items set settlement_id = 'setl_x' where ${item()}`,
    /does not match its entry|has no such item/,
  ],
  [
    'a returned settlement that stands again',
    () => `update settlements set status = 'processed' where status = 'failed'`,
    /does not match its entry/,
  ],
  ['a return that is not booked', () => `update settlement_items set returned_at = null`, /does not match its entry/],
  [
    'a line of a return',
    () =>
      `update ledger_lines set amount_paise = amount_paise + 1 where account = 'bank' and entry_id in (${entry('SETTLEMENT_FAILED')})`,
    /does not mirror/,
  ],
  [
    'a dispute held for another amount',
    () => `update disputes set held_paise = held_paise + 1`,
    /does not match its entries/,
  ],
  [
    'a loss that is gone',
    () => `update disputes set loss_paise = 0`,
    /does not match its entries|its refund and loss are/,
  ],
  [
    'a loss by a refund that is gone',
    () => `update refunds set loss_paise = 0 where loss_paise > 0`,
    /has no such dispute or refund/,
  ],
  [
    'a loss by a refund of another amount',
    () => `update refunds set loss_paise = loss_paise + 1 where loss_paise > 0`,
    /does not match its entries/,
  ],
  [
    'losses of more than the dispute took',
    () => `update disputes set deducted_paise = loss_paise where loss_paise > 0`,
    /has losses of \d+, its disputes and transfers took/,
  ],
  [
    'an amount taken by a dispute',
    () => `update disputes set deducted_paise = deducted_paise + 1 where status = 'lost'`,
    /its refund and loss are/,
  ],
  [
    'a dispute that is open again',
    () => `update disputes set status = 'open', ended_at = null, next_check_at = now() where status = 'won'`,
    /does not match its entries/,
  ],
  ['a dispute that is gone', () => `delete from disputes where status = 'won'`, /has no such dispute or refund/],
];

async function found(plant: string, check: (tx: Tx) => Promise<string[]>): Promise<string> {
  const tx = await money.owner.db.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(tx);
    const { numAffectedRows } = await sql.raw(plant).execute(tx);
    expect(numAffectedRows, plant).toBeGreaterThan(0n);
    return (await check(tx)).join('\n');
  } finally {
    await tx.rollback().execute();
  }
}

test.each(plants)('the verification and the check of what is new report %s', async (_what, plant, says) => {
  const customers = (await money.portal.db.selectFrom('customers').select('id').execute()).map(({ id }) => id);
  expect(await found(plant(), async (tx) => (await verifyWithin(tx)).faults)).toMatch(says);
  expect(await found(plant(), (tx) => faultsOfCustomers(tx, customers, 100))).toMatch(says);
});
