import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { addCycle } from '#shared/contract/cycles.ts';
import type { WaitingKind } from '#shared/contract/operator/waiting.ts';
import { createOrder } from '#shared/contract/payments.ts';
import { createWebhook } from '#shared/contract/webhooks.ts';
import { addDays } from '#shared/domain/day.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { reconcileOrder } from '#server/features/payments/reconcile.ts';
import { actAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

const dayMs = 86_400_000;
const cause = { actor: 'asha', reason: 'A test' };
let world: TestPortal;
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
});
afterAll(() => world.close());

async function waitingOf(kind: WaitingKind, limit?: number) {
  const { kinds } = await readAsOperator(world.portal, 'read-only', 'listWaiting', { kind, limit });
  return kinds[0] ?? { kind, count: 0, hasMore: false, waiting: [] };
}

const unprinted = async () => (await waitingOf('UNPRINTED_DOCUMENT', 1000)).waiting.map(({ id }) => id);

test('nothing waits in a new installation', async () => {
  expect(await readAsOperator(world.portal, 'read-only', 'listWaiting', {})).toEqual({ kinds: [] });
});

test('a plan that was to begin and is not paid waits, and its failed payment does until the plan is paid', async () => {
  const buyer = await newBuyer(world);
  const params = { activationId: buyer.activationId, planId: 'growth' };
  const body = { startDate: addDays(buyer.today(), 1) };
  const { billingCycleId: id = '' } = await world.ask(addCycle, { params, body }, buyer.token);
  const { orderId } = await world.ask(createOrder, { params: { id } }, buyer.token);
  await world.pay(orderId, { method: 'card', card: { number: '4100280000080001' } });
  const order = world.portal.db.selectFrom('payment_orders').select('id').where('cycle_id', '=', id);
  await reconcileOrder(world.portal, (await order.executeTakeFirstOrThrow()).id);
  expect(await waitingOf('FAILED_PAYMENT')).toMatchObject({ count: 1 });
  expect((await waitingOf('FAILED_PAYMENT')).waiting[0]?.about).toMatch(/: ₹1,499 for Growth failed: /);
  expect(await waitingOf('UNPAID_PLAN')).toMatchObject({ count: 0 });
  world.moveClock(dayMs);
  expect(await waitingOf('UNPAID_PLAN')).toMatchObject({ count: 1, waiting: [{ id }] });
  await world.buy(buyer.token, id);
  expect(await waitingOf('UNPAID_PLAN')).toMatchObject({ count: 0 });
  expect(await waitingOf('FAILED_PAYMENT')).toMatchObject({ count: 0 });
  await buyer.end(id);
});

test('plans that end without a next one are counted, the first of them listed, until one follows', async () => {
  const buyers = [];
  for (let each = 0; each < 3; each += 1) {
    const buyer = await newBuyer(world);
    buyers.push({ ...buyer, cycleId: await buyer.buy(0) });
  }
  expect(await waitingOf('ENDING_PLAN')).toMatchObject({ count: 0 });
  world.moveClock(24 * dayMs);
  const listed = await waitingOf('ENDING_PLAN', 2);
  expect(listed).toMatchObject({ count: 3, waiting: [{ about: expect.stringContaining('no plan follows') }, {}] });
  for (const { buy } of buyers) await buy(10);
  expect(await waitingOf('ENDING_PLAN')).toMatchObject({ count: 0 });
});

test('no more than a hundred of a kind are counted, unless more are asked for', async () => {
  const { db } = world.portal;
  const now = new Date();
  const rows = Array.from({ length: 102 }, (_, at) => ({ step: 'reminders', item: `item ${at}`, failures: 3 }));
  const failed = { since: now, failed_at: now, retry_at: now, error: 'no luck' };
  await db
    .insertInto('failed_work')
    .values(rows.map((row) => ({ ...row, ...failed })))
    .execute();
  expect(await waitingOf('FAILED_WORK', 5)).toMatchObject({ count: 100, hasMore: true });
  expect(await waitingOf('FAILED_WORK', 102)).toMatchObject({ count: 102, hasMore: false });
  await db.deleteFrom('failed_work').execute();
});

test('a document without a PDF waits after an hour, and its printing can be asked for once', async () => {
  const buyer = await newBuyer(world);
  await buyer.buy(0);
  const [document] = await buyer.documents();
  const number = document?.number ?? '';
  expect(await unprinted()).not.toContain(number);
  world.moveClock(2 * 3_600_000);
  expect(await unprinted()).toContain(number);
  const asked = await actAsOperator(world.portal, 'support', 'printDocument', { number }, cause);
  expect(asked).toMatchObject({ number, kind: 'INVOICE' });
  await buyer.download(document?.id ?? '');
  expect(await unprinted()).not.toContain(number);
  const again = actAsOperator(world.portal, 'support', 'printDocument', { number }, cause);
  await expect(again).rejects.toThrow('has its PDF');
});

test('a webhook waits once it has failed for an hour, and again when it was switched off for that', async () => {
  const token = await world.newCustomer();
  const { user } = await world.ask(readAccount, {}, token);
  const body = { url: 'http://127.0.0.1:9/hook', events: ['payment.failed' as const] };
  const { webhook } = await world.ask(createWebhook, { body }, token);
  const { db, clock } = world.portal;
  const set = (values: { failing_since: Date; disabled_at?: Date; disabled_reason?: 'FAILING' | 'OWNER' }) =>
    db.updateTable('webhooks').set(values).where('id', '=', webhook.id).execute();
  await set({ failing_since: new Date(clock()) });
  expect(await waitingOf('FAILED_WEBHOOK')).toMatchObject({ count: 0 });
  const failing_since = new Date(clock() - 2 * 3_600_000);
  await set({ failing_since });
  expect(await waitingOf('FAILED_WEBHOOK')).toMatchObject({ count: 1, waiting: [{ customerId: user.id }] });
  await set({ failing_since, disabled_at: new Date(clock()), disabled_reason: 'FAILING' });
  expect((await waitingOf('FAILED_WEBHOOK')).waiting[0]?.about).toContain('switched off');
  await set({ failing_since, disabled_at: new Date(clock()), disabled_reason: 'OWNER' });
  expect(await waitingOf('FAILED_WEBHOOK')).toMatchObject({ count: 0 });
});

test('what the installation lacks waits with the command for it: timed work, journals, backups, what the doctor found, the ledger', async () => {
  const { db } = world.portal;
  const now = new Date();
  const work = { since: now, failed_at: now, retry_at: now, error: 'no luck' };
  await db
    .insertInto('failed_work')
    .values([
      { step: 'reminders', item: '', failures: 3, ...work },
      { step: 'settlements', item: '', failures: 2, ...work },
    ])
    .execute();
  const complaints = JSON.stringify({ backups: 'fault', disk: 'warning', ledger: 'fault' });
  await db.insertInto('doctor_runs').values({ place: 'here', examined_at: now, complaints }).execute();
  const check = { checked_at: now, position: 0, hash: Buffer.alloc(32), faults: '["entry 7 is wrong"]', failure: null };
  await db
    .insertInto('ledger_checks')
    .values({ only_row: true, whole_checked_at: now, ...check })
    .execute();
  const { kinds } = await readAsOperator(world.portal, 'read-only', 'listWaiting', {});
  const commands = kinds.flatMap(({ kind, waiting }) =>
    waiting.map(({ about, command }) => ({ kind, about, command })),
  );
  expect(commands).toEqual(
    expect.arrayContaining([
      { kind: 'LEDGER_FAULT', about: 'entry 7 is wrong', command: 'verify-ledger' },
      { kind: 'FAILED_WORK', about: '“reminders” failed 3 times: no luck', command: 'doctor --only timed-work' },
      { kind: 'BACKUP', about: 'the doctor at here found a fault: backups', command: 'doctor --only backups' },
      { kind: 'DOCTOR', about: 'the doctor at here found a warning: disk', command: 'doctor --only disk' },
    ]),
  );
  expect(
    commands.filter(({ kind }) => ['LEDGER_FAULT', 'FAILED_WORK', 'BACKUP', 'DOCTOR'].includes(kind)),
  ).toHaveLength(4);
  await db
    .updateTable('doctor_runs')
    .set({ examined_at: new Date(now.getTime() - 4 * 3_600_000), complaints: '{}' })
    .execute();
  expect((await waitingOf('DOCTOR')).waiting[0]?.about).toContain('has not looked for three hours');
  await db.deleteFrom('doctor_runs').execute();
  await db.deleteFrom('failed_work').execute();
  await db.updateTable('ledger_checks').set({ faults: '[]' }).execute();
  for (const kind of ['LEDGER_FAULT', 'FAILED_WORK', 'BACKUP', 'DOCTOR'] as const)
    expect(await waitingOf(kind)).toMatchObject({ count: 0 });
});
