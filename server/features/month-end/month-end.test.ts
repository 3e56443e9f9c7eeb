import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MonthEndStep, stepsBeforeLock } from '#shared/contract/operator/month-end.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import { firstDayOf, lastDayOf, type Month, monthOf, nextMonth } from '#shared/domain/month.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { listActions } from '#server/audit-log/audit-log.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { verifyWholeLedger } from '#server/features/ledger/ledger.ts';
import { handleDueWork } from '#server/features/payments/due-work.ts';
import { actAsOperator, exportAsOperator, previewAsOperator, readAsOperator } from '#server/operator-calls.ts';
import { sampleLetter, startTestPortal, type TestPortal } from '#server/test/portal.ts';

let world: TestPortal;
let buyer: Awaited<ReturnType<typeof newBuyer>>;
let month: Month;
const cause = { actor: 'asha', reason: 'The returns are filed' };
beforeAll(async () => {
  world = await startTestPortal({ jobs: false });
  await world.behave({ webhooks: { enabled: false } });
  buyer = await newBuyer(world, { gstin: '29ZZZCA0001A1Z0' });
  month = monthOf(buyer.today());
  const cycleId = await buyer.buy(0);
  const claim = { tan: 'MUMA12345B', amount: 127.03, quarter: quarterOf(buyer.today()), name: 'form.pdf' };
  const body = { ...claim, certificate: sampleLetter };
  await world.ask(declareTds, { params: { billingCycleId: cycleId }, body }, buyer.token);
});
afterAll(() => world.close());

const readStep = async (step: MonthEndStep) => {
  const { steps } = await readAsOperator(world.portal, 'finance', 'readMonthEnd', { month });
  return steps.find((each) => each.step === step);
};
const lock = (despite?: (typeof stepsBeforeLock)[number][]) => ({ month, ...(despite && { despite }) });

test('the files of a month wait until it is over, and what waits in it is counted', async () => {
  for (const step of ['GSTR1', 'GSTR3B', 'BOOKS_FILES', 'MONTH_PACK'] as const)
    expect(await readStep(step)).toMatchObject({
      state: 'NOT_YET',
      about: `The month is over on ${firstDayOf(nextMonth(month))}`,
    });
  expect(await readStep('WAITING_TDS_CLAIMS')).toMatchObject({
    state: 'TO_DO',
    about: '1 TDS claim to decide',
    since: buyer.today(),
    findings: [expect.stringContaining('₹127.03')],
  });
  expect(await readStep('BOOKS_CHECK')).toMatchObject({ state: 'NOT_YET' });
  await verifyWholeLedger(world.portal);
  expect(await readStep('BOOKS_CHECK')).toMatchObject({ state: 'DONE', since: expect.any(String) });
  const failWith = (failure: string | null) =>
    world.owner.db.updateTable('ledger_checks').set({ whole_failure: failure }).execute();
  await failWith('no space left');
  expect(await readStep('BOOKS_CHECK')).toMatchObject({
    state: 'DIFFERS',
    findings: ['the check itself failed: no space left'],
  });
  await failWith(null);
});

test('without a month it is the last one that is over', async () => {
  world.moveClock(startOfDay(addDays(firstDayOf(nextMonth(month)), 1)) - world.portal.clock());
  expect(await readAsOperator(world.portal, 'owner', 'readMonthEnd', {})).toMatchObject({ month, locked: false });
});

test('a lock is refused with everything that is not done, in the preview too', async () => {
  for (const ask of [previewAsOperator, actAsOperator])
    await expect(ask(world.portal, 'finance', 'lockMonth', lock(['GSTR1']), cause)).rejects.toThrow(
      `${month} isn't ready: SETTLEMENT_CHECK: Razorpay’s settlements were read until never; GSTR3B: Not asked for yet.`,
    );
  await expect(previewAsOperator(world.portal, 'support', 'lockMonth', lock(), cause)).rejects.toThrow('may not');
});

test('a file is done when it was asked for, until the figures change', async () => {
  expect(await readStep('GSTR1')).toMatchObject({ state: 'TO_DO', by: null });
  for (const name of ['exportGstr1', 'exportGstr3b', 'exportMonthPack'] as const)
    await exportAsOperator(world.portal, 'finance', name, { month }, 'asha');
  await exportAsOperator(world.portal, 'finance', 'exportBooks', { period: month }, 'asha');
  for (const step of ['GSTR1', 'GSTR3B', 'BOOKS_FILES', 'MONTH_PACK'] as const)
    expect(await readStep(step), step).toMatchObject({ state: 'DONE', by: 'asha', since: expect.any(String) });
  // The first PDF of the document.
  const [document] = await buyer.documents();
  await buyer.download(document?.id ?? '');
  expect(await readStep('MONTH_PACK')).toMatchObject({ state: 'DIFFERS', by: 'asha' });
  expect(await readStep('BOOKS_FILES')).toMatchObject({ state: 'DONE' });
  await exportAsOperator(world.portal, 'finance', 'exportMonthPack', { month }, 'vikram');
  expect(await readStep('MONTH_PACK')).toMatchObject({ state: 'DONE', by: 'vikram' });
});

test('a month is locked despite what is named, which the audit log keeps, and is opened again', async () => {
  const named = await actAsOperator(world.portal, 'finance', 'lockMonth', lock(['SETTLEMENT_CHECK', 'GSTR1']), cause);
  const undone = [{ step: 'SETTLEMENT_CHECK', about: 'Razorpay’s settlements were read until never' }];
  expect(named).toEqual({ month, locked: true, undone });
  const [action] = await listActions(world.portal.db, { limit: 1 });
  expect(action).toMatchObject({ action: 'months.lock', target: month, effect: { undone } });
  expect(await readStep('LOCK')).toMatchObject({ state: 'DONE', by: 'asha', about: 'Locked: The returns are filed' });
  await actAsOperator(world.portal, 'finance', 'unlockMonth', { month }, { ...cause, reason: 'A wrong GSTIN' });
  expect(await readStep('LOCK')).toMatchObject({ state: 'TO_DO', by: 'asha', about: 'Opened again: A wrong GSTIN' });
});

test('a month in which nothing was sold needs no returns', async () => {
  const { steps } = await readAsOperator(world.portal, 'owner', 'readMonthEnd', { month: '2020-01' });
  for (const step of ['GSTR1', 'GSTR3B'])
    expect(steps).toContainEqual(
      expect.objectContaining({ step, state: 'DONE', about: expect.stringMatching(/^Nothing/) }),
    );
});

test('a refund of the last day of a month that is not paid waits in that month', async () => {
  const next = nextMonth(month);
  world.moveClock(startOfDay(lastDayOf(next)) - world.portal.clock());
  await world.behave({ webhooks: { enabled: false }, refunds: 'insufficient-balance' });
  await actAsOperator(world.portal, 'owner', 'refundPayment', { of: await buyer.buy(0) }, cause);
  while ((await handleDueWork(world.portal, world.portal.clock())) > 0);
  const unpaid = async (of: Month) => {
    const { steps } = await readAsOperator(world.portal, 'finance', 'readMonthEnd', { month: of });
    return steps.find(({ step }) => step === 'UNPAID_REFUNDS');
  };
  expect(await unpaid(next)).toMatchObject({ state: 'TO_DO', about: '1 refund not paid' });
  expect(await unpaid(month)).toMatchObject({ state: 'DONE' });
});
