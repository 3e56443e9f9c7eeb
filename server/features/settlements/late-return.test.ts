import { expect, test } from 'vitest';
import { price, startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { dayMs, startMoney } from '#server/money-tests/test-money.ts';
import { readSettlements } from './read.ts';

test('a settlement that the bank returns weeks later takes its money back', async () => {
  const money = await startMoney();
  try {
    const { db } = money.portal;
    const one = await startElsewhere(money).paid();
    await money.standin('POST', '/standin/settlements', {});
    const later = { ...money.portal, clock: () => money.portal.clock() + 40 * dayMs };
    await readSettlements(later);
    const settled = await db
      .selectFrom('settlement_items')
      .selectAll()
      .where('payment_id', '=', one.paymentId)
      .execute();
    await money.standin('POST', `/standin/settlements/${settled[0]?.settlement_id}/fail`, {});
    await readSettlements(later);
    const lines = await db
      .selectFrom('ledger_lines')
      .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
      .select('amount_paise')
      .where('payment_id', '=', one.paymentId)
      .where('account', '=', 'provider')
      .execute();
    expect(lines.reduce((sum, { amount_paise: paise }) => sum + paise, 0)).toBe(price);
  } finally {
    await money.close();
  }
});
