import { unzipSync } from 'fflate';
import { expect, onTestFinished, test } from 'vitest';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { recordFirstCatalog } from '#shared/database/catalog-versions.ts';
import type { OperatorRole } from '#shared/contract/operator/roles.ts';
import { monthOf } from '#shared/domain/month.ts';
import { proposeFolder } from '#server/catalog-proposal.ts';
import { readProviderPack } from '#server/features/month-pack/month-pack.ts';
import { renewalsCsv } from '#server/features/mandates/mandates.ts';
import { actAsOperator, previewAsOperator } from '#server/operator-calls.ts';
import { useRenewals } from './test-renewals.ts';

const { the, today, debits, mandate, untilDebits, move, goBefore, sentToBank } = useRenewals();

test('what a new catalogue does to renewals is among its changes', async () => {
  const { portal } = the();
  const { db, settings } = portal.portal;
  await recordFirstCatalog(db, await SoundFiles.in(settings.catalogDir), { author: 'a test', reason: 'First start' });
  const folder = changedCatalog({ 'tax-lookup-api': { 'plans.growth.price': '1599' } });
  const { changes } = await proposeFolder(db, folder);
  expect(changes).toContainEqual({
    product: 'tax-lookup-api',
    change: 'renewals of plan growth: ₹1,499 → ₹1,599',
    affects: '1 renewal: 1 will be debited ₹1,599 (announced again).',
  });
});

test('the pack of a month lists each debit with the notice before it and what became of it', async () => {
  const { portal } = the();
  onTestFinished(() => void portal.behave({}));
  await portal.behave({ mandates: { nextDebits: ['mandate_already_executed'] } });
  await goBefore(5);
  const month = monthOf(today());
  const { id } = await mandate();
  const rows = async (of: string) => {
    const zip = await readProviderPack(portal.portal, of, today());
    const files = unzipSync(Buffer.concat(await zip.toArray()));
    const lines = Buffer.from(files['renewals.csv'] ?? [])
      .toString()
      .split('\r\n');
    return lines.filter((line) => line.includes(id));
  };
  const notice = /,1499,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d IST,/;
  expect(await rows(month)).toEqual([expect.stringMatching(notice)]);
  expect((await rows(month))[0]).toContain('NOT ASKED');
  await goBefore(4);
  await untilDebits('SENT');
  await move(1.5);
  await untilDebits('FAILED');
  const [debit] = await debits().execute();
  const [failed] = await rows(monthOf(today()));
  expect(failed).toMatch(notice);
  expect(failed).toContain(`${debit?.order_id},1,`);
  expect(failed).toContain('FAILED');
  for (const other of ['2020-01', '2099-01']) expect(await rows(other)).toEqual([]);
});

test('what was promised for a debit and then refunded on the provider’s dashboard stands in the month’s list once', async () => {
  const { portal } = the();
  onTestFinished(() => void portal.behave({}));
  await sentToBank();
  await move(1.5);
  await untilDebits('PAID');
  const [debit] = await debits().execute();
  const of = debit?.payment_id ?? '';
  await portal.behave({ refunds: 'insufficient-balance' });
  await actAsOperator(portal.portal, 'owner', 'refundPayment', { of }, { actor: 'meera', reason: 'Asked' });
  const refunds = () =>
    portal.portal.db.selectFrom('refunds').select('covers_paise').where('payment_id', '=', of).execute();
  await expect
    .poll(() =>
      portal.portal.db.selectFrom('refunds').select('refusal').where('payment_id', '=', of).executeTakeFirst(),
    )
    .toMatchObject({ refusal: expect.any(String) });
  await portal.behave({});
  await portal.standin('POST', `/standin/payments/${of}/refund`, {});
  await expect.poll(refunds).toContainEqual({ covers_paise: 149_900 });
  const csv = await renewalsCsv(portal.portal.db, monthOf(today()));
  expect(csv.split('\n').find((line) => line.includes(of))).toMatch(`${of},1499`);
});

test('before a mandate is ended its preview says which debit was asked for and may still be made; who may only read ends none', async () => {
  const { portal } = the();
  const cause = { actor: 'asha', reason: 'Asked by telephone' };
  const { id: mandateId } = await mandate();
  const preview = (role: OperatorRole) => previewAsOperator(portal.portal, role, 'endMandate', { mandateId }, cause);
  expect(await preview('support')).toMatchObject({ id: mandateId, state: 'IN_FORCE', debitUnderWay: null });
  await sentToBank();
  expect(await preview('support')).toMatchObject({ debitUnderWay: 1499 });
  await expect(preview('read-only')).rejects.toMatchObject({ code: 'forbidden' });
  expect((await mandate()).state).toBe('IN_FORCE');
});

test('the preview of an erasure names the renewal that ends and the debit at the bank', async () => {
  const { portal, customerId } = the();
  await goBefore(5);
  await goBefore(3);
  await untilDebits('SENT');
  const input = { customerId, endPlans: true, withinYear: true };
  const preview = await previewAsOperator(portal.portal, 'owner', 'eraseCustomer', input, {
    actor: 'meera',
    reason: 'Asked for',
  });
  expect(preview).toMatchObject({ renewals: [{ planName: 'Growth', renewal: 'ends', debitAmount: 1499 }] });
});
