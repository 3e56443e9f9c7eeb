import { listHistory } from '#shared/contract/invoices.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { openAs } from './signed-in.ts';
import { expect, test } from './visitor.ts';

test('a business declares TDS on an invoice with its certificate, and sees its state in the billing history', async ({
  page,
  product,
}) => {
  const customer = await newCustomer(product);
  await giveProfile(customer, { gstin: '29ZZZCA0001A1Z0' });
  const body = { serviceId: 'tax-lookup-api', planId: 'growth' };
  const { activationId, billingCycleId = '' } = await customer.send(activateService, { body });
  await customer.pay(billingCycleId);
  const [entry] = await customer.send(listHistory, { params: { id: activationId } });
  await openAs(page, customer, '/billing');
  const more = page.getByRole('button', { name: `More for ${entry?.invoiceId ?? ''}` });
  await more.click();
  await page.getByRole('menuitem', { name: 'Declare TDS' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tax deducted at source (TDS)' });
  const declare = dialog.getByRole('button', { name: 'Declare TDS' });
  await declare.click();
  await expect(dialog.getByText('Enter an amount in rupees, such as 127.03.')).toBeVisible();
  await expect(dialog.getByText('Enter your TAN, such as MUMA12345B.')).toBeVisible();
  await expect(dialog.getByText('Choose the certificate.')).toBeVisible();
  await expect(dialog.getByLabel('TDS in rupees')).toBeFocused();

  const choose = async (content: string) => {
    const opened = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: /^Choose/ }).click();
    await (await opened).setFiles({ name: 'form-16a.pdf', mimeType: 'application/pdf', buffer: Buffer.from(content) });
  };
  await choose('<html>');
  await expect(dialog.getByText('This file is not a PDF, JPEG or PNG. Choose another one.')).toBeVisible();
  await choose('%PDF-1.7');
  await expect(dialog.getByText('form-16a.pdf')).toBeVisible();
  await dialog.getByLabel('TDS in rupees').fill('200');
  await dialog.getByLabel('Your TAN').fill('muma12345b');
  await declare.click();
  await expect(dialog.getByText(/TDS is at most 10 % of the value without GST/)).toBeVisible();
  await dialog.getByLabel('TDS in rupees').fill('127.03');
  await declare.click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('TDS of ₹127.03 under review')).toBeVisible();

  await more.click();
  await page.getByRole('menuitem', { name: 'TDS', exact: true }).click();
  await expect(dialog.getByText('MUMA12345B')).toBeVisible();
  await expect(dialog.getByText('393(1), Income-tax Act 2025')).toBeVisible();
  const downloads = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download certificate' }).click();
  expect((await downloads).suggestedFilename()).toBe('form-16a.pdf');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(dialog).toBeHidden();
});
