import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { listHistory } from '#shared/contract/invoices.ts';
import { createOrderOfPeriods } from '#shared/contract/payments.ts';
import { declareTds } from '#shared/contract/tds.ts';
import { giveProfile } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { dayFromNow } from './days.ts';
import { addOperator, addPasskey, confirm, find, openAsOperator, test } from './operator.ts';
import { newActivation } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect } from './visitor.ts';

test('of a payment for three plans one is refunded, in part', { tag: onBoth }, async ({ page, product }) => {
  const { customer, activationId, billingCycleId } = await newActivation(product, 'growth');
  await customer.send(endCycle, { params: { activationId, billingCycleId } });
  const params = { activationId, planId: 'growth' };
  const { billingCycleIds = [] } = await customer.send(addCycle, {
    params,
    body: { startDate: dayFromNow(0), periods: 3 },
  });
  const { orderId } = await customer.send(createOrderOfPeriods, {
    params: { activationId },
    body: { billingCycleIds },
  });
  expect((await customer.payOrder(orderId)).status).toBe(200);
  await openAsOperator(page, product, await addOperator(product, 'owner'), '/');
  await addPasskey(page);
  await expect(async () => {
    await find(page, billingCycleIds[2] ?? '');
    await expect(page.getByRole('button', { name: /^Refund: Growth from/ })).toHaveCount(3, { timeout: 2000 });
  }).toPass({ timeout: 60_000 });
  const row = page
    .getByRole('table', { name: 'Plans' })
    .getByRole('row')
    .filter({ hasText: billingCycleIds[2] ?? '' });
  await row.getByRole('button', { name: /^Refund: / }).click();
  await page.getByRole('dialog').getByLabel('Amount in rupees').fill('100');
  const happened = await confirm(page, 'Refund');
  await expect(happened).toContainText(billingCycleIds[2] ?? '');
  await expect(happened).not.toContainText(billingCycleIds[0] ?? '');
  await expect(happened).toContainText('goes on');
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Refund all 3 plans' }).click();
  await expect(page.getByRole('dialog').getByLabel('Preview')).toContainText('₹4,397');
});

test('a TDS claim has its certificate beside its numbers', { tag: onBoth }, async ({ page, product, owner }) => {
  const customer = await newCustomer(product);
  await giveProfile(customer, { gstin: '29ZZZCA0001A1Z0' });
  const service = { serviceId: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId = '' } = await customer.send(activateService, { body: service });
  await customer.pay(billingCycleId);
  const [entry] = await customer.send(listHistory, { params: { id: activationId } });
  const tan = `MUMA${randomInt(10_000, 99_999)}B`;
  const certificate = Buffer.from(`%PDF-1.7 of ${customer.name}`);
  await customer.send(declareTds, {
    params: { billingCycleId },
    body: {
      tan,
      amount: 127.03,
      quarter: entry?.tds?.quarters[0] ?? '',
      name: '../form.pdf',
      certificate: certificate.toString('base64'),
    },
  });
  await openAsOperator(page, product, owner, '/money/tds');
  const row = page.getByRole('table', { name: 'TDS claims' }).getByRole('row').filter({ hasText: tan });
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: /^Certificate: / }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tds-certificate-[\w-]+-TDS-\w+\.pdf$/);
  expect(readFileSync(await file.path())).toEqual(certificate);
});
