import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStatement, readStatementPaper } from '#shared/contract/credit.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { statementPaperOf } from '#server/features/credit/statement-paper.ts';
import { actAsOperator } from '#server/operator-calls.ts';
import { billed, termsCause } from './test-credit.ts';
import { dayMs, type Money, startMoney } from './test-money.ts';

let money: Money;
beforeAll(async () => {
  money = await startMoney();
});
afterAll(() => money.close());

const today = () => dayOf(money.portal.clock());

test('the statement of account is a PDF with the figures of the page, for its customer alone', async () => {
  const one = await billed(money, { days: 2, stopAfterDays: 1 });
  const another = await one.next(40);
  money.moveClock(dayMs);
  await one.later(another);
  await actAsOperator(money.portal, 'finance', 'refundPayment', { of: one.cycleId, amount: 499 }, termsCause);
  money.moveClock(4 * dayMs);
  await actAsOperator(money.portal, 'finance', 'writeOffBill', { cycleId: one.cycleId }, termsCause);
  const span = { from: addDays(today(), -30), to: today() };
  const statement = await money.ask(readStatement, { query: span }, one.token);
  const paper = statementPaperOf(statement, one.customerId, today());
  expect(paper.statement).toMatchObject({
    opening: { balance: '0.00' },
    lines: [
      { what: 'Invoice', debit: '1,499.00', credit: '', balance: '1,499.00' },
      { what: 'Invoice', debit: '1,499.00', credit: '', balance: '2,998.00' },
      { what: 'Credit note', debit: '', credit: '499.00', balance: '2,499.00' },
      { what: 'Written off', debit: '', credit: '1,000.00', balance: '1,499.00' },
    ],
    closing: { balance: '1,499.00' },
    sums: [
      { name: '1 to 30 days overdue', amount: '1,499.00' },
      { name: 'Written off, still owed', amount: '1,000.00' },
    ],
  });
  const { downloadUrl } = await money.ask(readStatementPaper, { params: span }, one.token);
  const file = await fetch(downloadUrl);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  const pdf = Buffer.from(await file.arrayBuffer());
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  const other = await billed(money);
  const changed = downloadUrl.replace(one.customerId, other.customerId);
  expect((await fetch(changed)).status).toBe(404);
});
