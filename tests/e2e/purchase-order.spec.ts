import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile } from '#ship/demo/portal-customer.ts';
import { newCustomer } from './customer-calls.ts';
import { checkoutOf, goodCard, payByCard } from './customer.ts';
import { textOfInvoice } from './pdf-text.ts';
import type { ProductPlace } from './product.ts';
import { openAs } from './signed-in.ts';
import { onBoth } from './tiers.ts';
import { expect, test } from './visitor.ts';

async function newBuyer(place: ProductPlace, gstin: string | null) {
  const customer = await newCustomer(place);
  await giveProfile(customer, { gstin });
  const body = { serviceId: 'tax-lookup-api', planId: 'growth' };
  const { activationId } = await customer.send(activateService, { body });
  return { customer, path: `/activations/${activationId}/billing` };
}

test(
  'a business names a purchase order for one payment, and its invoice has it',
  { tag: onBoth },
  async ({ page, product }) => {
    const { customer, path } = await newBuyer(product, '29ZZZCA0001A1Z0');
    await openAs(page, customer, path);
    const opener = page.getByRole('button', { name: 'Add a purchase order' });
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Purchase order' });
    const pay = dialog.getByRole('button', { name: 'Pay ₹1,499' });
    await expect(dialog.getByLabel('Number')).toBeFocused();
    await dialog.getByLabel('Number').fill('PO 42');
    await pay.click();
    await expect(dialog.getByText('A purchase order number has up to 16 letters, digits, - and /')).toBeVisible();
    await expect(dialog.getByLabel('Number')).toBeFocused();
    await dialog.getByLabel('Number').fill('PO/26-27/0042');
    await dialog.getByLabel('Date (optional)').fill('3 Nov 2026');
    await pay.click();
    await expect(dialog).toBeHidden();
    const sheet = checkoutOf(page);
    await expect(sheet.getByLabel('Card number')).toBeVisible();
    await expect(page.getByText('Purchase order PO/26-27/0042 of 3 Nov 2026')).toBeVisible();
    await payByCard(sheet, goodCard, '₹1,499');
    await expect(page.getByRole('heading', { name: 'Active Plan' })).toBeVisible();
    expect(await textOfInvoice(page)).toContain('PO/26-27/0042 of 3 Nov 2026');
  },
);

test('a buyer without a GSTIN is not asked for a purchase order', async ({ page, product }) => {
  const { customer, path } = await newBuyer(product, null);
  await openAs(page, customer, path);
  await expect(page.getByRole('button', { name: 'Pay ₹1,499' }).first()).toBeVisible();
  await expect(page.getByText('purchase order')).toHaveCount(0);
});
