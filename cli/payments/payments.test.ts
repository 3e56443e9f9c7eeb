import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exitCodes } from '#cli/command-result.ts';
import { run } from '#cli/octroi.ts';
import { captureTerminal } from '#cli/test-terminal.ts';
import { activatePlan } from '#shared/contract/marketplace.ts';
import { payByTransfer } from '#shared/contract/bank-transfers.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startDueWork } from '#server/features/payments/due-work.ts';
import { businessProfile } from '#server/money-tests/test-tds.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

let portal: TestPortal;
const terminal = captureTerminal();

beforeAll(async () => {
  // Nothing runs in the background until a test starts it.
  portal = await startTestPortal({ jobs: false });
  await portal.behave({ webhooks: { enabled: false } });
  vi.stubEnv('DATABASE_URL', portal.portal.settings.databaseUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await portal.close();
});

const because = ['--reason', 'The customer was debited', '--actor', 'asha'];

test('everything of a payment is shown by its id, its order, its plan and its document', async () => {
  const buyer = await newBuyer(portal);
  const cycleId = await buyer.buy(0);
  expect(await run(['refund', cycleId, '--amount', '100', ...because, '--yes'])).toBe(exitCodes.done);
  const { db } = portal.portal;
  const { provider_payment_id: paymentId, order_id: orderId } = await db
    .selectFrom('payments')
    .select(['provider_payment_id', 'order_id'])
    .where('cycle_id', '=', cycleId)
    .executeTakeFirstOrThrow();
  const [invoice, note] = await buyer.documents();
  const seen: string[] = [];
  for (const sought of [paymentId, orderId, cycleId, invoice?.number ?? '', note?.number ?? '']) {
    terminal.out = '';
    expect(await run(['payments', 'show', sought])).toBe(exitCodes.done);
    seen.push(terminal.out);
  }
  expect(new Set(seen).size).toBe(1);
  for (const part of [paymentId, orderId, cycleId, invoice?.number ?? '', note?.number ?? '', 'by OPERATOR'])
    expect(terminal.out).toContain(part);
  terminal.out = '';
  expect(await run(['payments', 'show', paymentId, '--json'])).toBe(exitCodes.done);
  expect(JSON.parse(terminal.out)).toMatchObject({
    order: { id: orderId, status: 'PAID' },
    payments: [{ id: paymentId, status: 'captured', use: 'CYCLE' }],
    refunds: [{ amount: 100, loss: 0, covers: 0, covered: 0, origin: 'OPERATOR', reason: 'The customer was debited' }],
    documents: [{ kind: 'INVOICE' }, { kind: 'CREDIT_NOTE', total: 100 }],
  });
  terminal.out = '';
  expect(await run(['payments', 'list', '--status', 'captured', '--month', buyer.today().slice(0, 7)])).toBe(
    exitCodes.done,
  );
  expect(terminal.out).toMatch(new RegExp(`^${paymentId}  .*  captured  `, 'm'));
  expect(terminal.out).toContain('₹100 refunded');
  expect(await run(['payments', 'list', '--status', 'lost'])).toBe(exitCodes.usage);
  expect(await run(['payments', 'show', 'pay_nobody'])).toBe(exitCodes.failed);
  expect(terminal.errors).toContain('No order is known as pay_nobody');
});

test('a payment that the portal missed is settled when it is checked again', async () => {
  const token = await portal.newCustomer();
  const params = { id: 'tax-lookup-api', planId: 'growth' };
  const { billingCycleId = '' } = await portal.ask(activatePlan, { params }, token);
  const { orderId } = await portal.ask(createOrder, { params: { id: billingCycleId } }, token);
  await portal.pay(orderId);
  const { db } = portal.portal;
  // Long after the portal has stopped asking by itself.
  await db
    .updateTable('payment_orders')
    .set({ next_check_at: null })
    .where('provider_order_id', '=', orderId)
    .execute();
  expect(await run(['payments', 'recheck', orderId, ...because, '--dry-run'])).toBe(exitCodes.done);
  expect(await run(['payments', 'recheck', orderId, ...because])).toBe(exitCodes.usage);
  const workers = startDueWork(portal.portal);
  try {
    terminal.out = '';
    expect(await run(['payments', 'recheck', orderId, ...because, '--yes', '--json'])).toBe(exitCodes.done);
    expect(JSON.parse(terminal.out)).toMatchObject({
      asked: true,
      order: { status: 'PAID' },
      payments: [{ use: 'CYCLE' }],
    });
    terminal.out = '';
    expect(await run(['payments', 'recheck', orderId, ...because, '--yes'])).toBe(exitCodes.done);
    expect(terminal.out).toContain('nothing was missed');
  } finally {
    await workers.stop();
  }
  const { status } = await db
    .selectFrom('cycles')
    .select('status')
    .where('id', '=', billingCycleId)
    .executeTakeFirstOrThrow();
  expect(status).toBe('PAID');
  expect(await listActions(db, { limit: 1 })).toMatchObject([{ action: 'payments.recheck', actor: 'asha' }]);
});

test('a bank transfer that the portal missed pays when its order is checked again', async () => {
  const token = await portal.newCustomer(businessProfile);
  const params = { id: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId = '' } = await portal.ask(activatePlan, { params }, token);
  const body = { billingCycleIds: [billingCycleId] };
  const { amount } = await portal.ask(payByTransfer, { params: { activationId }, body }, token);
  const { db } = portal.portal;
  // Weeks after it was asked for, the account is looked at once a day.
  const { id } = await db
    .updateTable('virtual_accounts')
    .set({ checks: 200, next_check_at: new Date(Date.now() + 80_000_000) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await portal.standin('POST', `/standin/virtual_accounts/${id}/credit`, { amount: amount * 100 });
  const workers = startDueWork(portal.portal);
  try {
    terminal.out = '';
    expect(await run(['payments', 'recheck', billingCycleId, ...because, '--yes'])).toBe(exitCodes.done);
  } finally {
    await workers.stop();
  }
  expect(terminal.out).toMatch(/What changed:\n.* growth .* PAID /is);
  expect(terminal.out).not.toContain('nothing was missed');
});
