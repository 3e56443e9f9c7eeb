import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { dayOf } from '#shared/domain/day.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { type Money, startMoney } from '#server/money-tests/test-money.ts';
import { asking } from '#server/money-tests/test-transfers.ts';

let money: Money;
const terminal = captureTerminal();

beforeAll(async () => {
  money = await startMoney();
  vi.stubEnv('DATABASE_URL', money.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await money.close();
});

const because = ['--reason', 'Its accounts department wrote', '--actor', 'asha'];

/** A transfer of the price less 10 % of the value without GST, which nobody declared. */
async function held() {
  const one = await asking(money);
  const { id } = await one.credit(137_200, { utr: 'HDFCR52026112800201' });
  await money.work(money.portal, 60_000);
  return { ...one, paymentId: String(id) };
}

test('held transfers are listed, settled and given back by command, with preview and reason', async () => {
  expect(await run(['transfers', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('No bank transfer is held.');
  const [first, second] = [await held(), await held()];
  terminal.out = '';
  expect(await run(['transfers', 'list'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`${first.paymentId}  ₹1,372 of ₹1,499`);
  expect(terminal.out).toContain('₹127 less, which is TDS at 10 %');
  terminal.out = '';
  expect(await run(['waiting', '--kind', 'HELD_TRANSFER'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`octroi transfers settle ${first.paymentId}`);

  const settle = ['transfers', 'settle', first.paymentId, ...because];
  terminal.out = '';
  expect(await run([...settle, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain('It pays for Growth, and ₹127 become receivable');
  expect(await run(settle)).toBe(exitCodes.usage);
  expect(await first.cycles()).toMatchObject([{ status: 'PENDING', payments: [{ status: 'pending' }] }]);
  terminal.out = '';
  expect(await run([...settle, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ settled: true, paymentId: first.paymentId, tds: 127 });
  expect(await first.cycles()).toMatchObject([{ status: 'PAID' }]);
  const [action] = await listActions(money.portal.db, { limit: 1 });
  expect(action).toMatchObject({ action: 'transfers.settle', target: first.paymentId, actor: 'asha' });
  expect(await run([...settle, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain(`${first.paymentId} is not held`);

  terminal.out = '';
  expect(await run(['transfers', 'refund', second.paymentId, ...because, '--yes'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`₹1,372 of ${second.paymentId} go back`);
  expect(await second.refunds()).toMatchObject([{ amount_paise: 137_200 }]);
  expect(await run(['transfers', 'refund', 'pay_none', ...because, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('There is no payment pay_none');
});

test('a transfer to the own account is recorded by command', async () => {
  const one = await asking(money);
  const on = dayOf(money.portal.clock());
  const transfer = ['--amount', '1499', '--utr', 'sbin 3260 1512 3456', '--on', on];
  const record = ['transfers', 'record', one.cycleId, ...transfer, ...because];
  terminal.out = '';
  expect(await run([...record, '--dry-run'])).toBe(exitCodes.done);
  expect(terminal.out).toContain(`UTR SBIN326015123456 of ${on}, pay for Growth (ORD-`);
  expect(await run(record)).toBe(exitCodes.usage);
  terminal.out = '';
  expect(await run([...record, '--yes', '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({ recorded: true, paymentId: expect.stringMatching(/^TRF-/) });
  expect(await one.cycles()).toMatchObject([{ status: 'PAID' }]);
  expect(await run([...record, '--yes'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('The transfer SBIN326015123456 is known already');
  expect(await run(['transfers', 'record', one.cycleId, '--amount', '0', '--utr', 'x', '--on', on])).toBe(
    exitCodes.usage,
  );
});
