import { expect, test } from 'vitest';
import { price, startElsewhere } from '#server/money-tests/test-elsewhere.ts';
import { dayMs, startMoney } from '#server/money-tests/test-money.ts';
import { readSettlements } from './read.ts';

test('a settlement that the bank returns months later takes its money back', async () => {
  const money = await startMoney();
  try {
    const { db } = money.portal;
    await money.behave({ webhooks: { enabled: false } });
    const one = await startElsewhere(money).paid();
    await money.standin('POST', '/standin/settlements', {});
    const later = { ...money.portal, clock: () => money.portal.clock() + 180 * dayMs };
    await readSettlements(later);
    const settled = await db
      .selectFrom('settlement_items')
      .selectAll()
      .where('payment_id', '=', one.paymentId)
      .execute();
    expect(settled).toHaveLength(1);
    const atProvider = async () => {
      const lines = await db
        .selectFrom('ledger_lines')
        .innerJoin('ledger_entries', 'ledger_entries.id', 'ledger_lines.entry_id')
        .select('amount_paise')
        .where('payment_id', '=', one.paymentId)
        .where('account', '=', 'provider')
        .execute();
      return lines.reduce((sum, { amount_paise: paise }) => sum + paise, 0);
    };
    expect(await atProvider()).toBe(0);
    await money.standin('POST', `/standin/settlements/${settled[0]?.settlement_id}/fail`, {});
    await readSettlements(later);
    expect(await atProvider()).toBe(price);
  } finally {
    await money.close();
  }
});
