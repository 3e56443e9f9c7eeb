import { z } from 'zod';
import { listActivations } from '#shared/contract/activations.ts';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { listDocuments } from '#shared/contract/documents.ts';
import { countClicks } from './clicks.ts';
import { callApi, newCustomer } from './customer-calls.ts';
import { addOperator, addPasskey, confirm, find, openAsOperator, test } from './operator.ts';
import { startProduct } from './product.ts';
import { newActivation, newPaidActivation } from './signed-in.ts';
import { expect } from './visitor.ts';

const aboutSchema = z.object({
  payments: z.array(z.object({ email: z.string(), acquirer_data: z.object({ rrn: z.string().nullish() }) })),
});

test('a payment is found by its UTR with one click, and says why the one before it failed', async ({
  page,
  product,
  owner,
}) => {
  const { customer, billingCycleId } = await newActivation(product, 'growth');
  await customer.failToPay(billingCycleId);
  const paid = await customer.pay(billingCycleId, { method: 'upi', email: customer.email });
  expect(paid).toMatchObject({ status: 'success' });
  const about = aboutSchema.parse(await (await fetch(`${product.razorpayUrl}/standin/about`)).json());
  const utr = about.payments.findLast(({ email }) => email === customer.email)?.acquirer_data.rrn ?? '';
  expect(utr).toMatch(/^\d{12}$/);
  await openAsOperator(page, product, owner, '/');
  const clicks = await countClicks(page);
  const heading = page.getByRole('heading', { level: 1, name: 'Payment of ₹1,499' });
  await expect(async () => {
    // Razorpay's message may still be under way.
    await find(page, `UTR ${utr}`);
    await expect(heading).toBeVisible();
  }).toPass();
  await expect(page.getByRole('table', { name: 'Payments' })).toContainText('the account did not have enough funds');
  expect(await clicks()).toBe(1);
});

test('half a payment, above the limit, is refunded with its credit note by two people: three clicks, then five', async ({
  browser,
}) => {
  test.slow();
  // No other test has its limit.
  const own = await startProduct({ OPERATOR_APPROVAL_RUPEES: '500' });
  const people = await Promise.all(
    [0, 1].map(async () => {
      const context = await browser.newContext({ baseURL: own.portalUrl, locale: 'en-IN' });
      const page = await context.newPage();
      const email = await addOperator(own, 'finance');
      await openAsOperator(page, own, email, '/');
      await addPasskey(page);
      await page.goto('/operator/');
      await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
      return { context, page, email };
    }),
  );
  const [asker, approver] = people;
  if (asker === undefined || approver === undefined) throw new Error('There are two people.');
  try {
    const { customer, billingCycleId } = await newActivation(own, 'growth');
    await customer.pay(billingCycleId);
    const creditNotes = async () =>
      (await customer.send(listDocuments, {})).documents.filter(({ kind }) => kind === 'CREDIT_NOTE');

    const clicks = await countClicks(asker.page);
    await find(asker.page, billingCycleId);
    await expect(asker.page.getByRole('heading', { level: 1, name: 'Payment of ₹1,499' })).toBeFocused();
    await asker.page.keyboard.press('r');
    const dialog = asker.page.getByRole('dialog');
    await dialog.getByLabel('Amount in rupees').fill('749.50');
    await expect(dialog.getByLabel('Preview')).toContainText('₹749.50');
    await dialog.getByLabel('Reason').fill('An outage of two weeks');
    await dialog.getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog.getByRole('button', { name: 'Confirm and refund' }).or(dialog.getByText('second person')).waitFor();
    const withPasskey = dialog.getByRole('button', { name: 'Confirm and refund' });
    if (await withPasskey.isVisible()) await withPasskey.click();
    await expect(dialog.getByText('It waits for a second person')).toBeVisible();
    expect(await creditNotes()).toEqual([]);
    expect(await clicks()).toBeLessThanOrEqual(3);

    const { page } = approver;
    await page.reload();
    const approving = await countClicks(page);
    await page.getByRole('row', { name: /749\.50/ }).click();
    await page.getByRole('button', { name: /^Approve: / }).click();
    const question = page.getByRole('dialog');
    await expect(question).toContainText(`${asker.email} asks for it: An outage of two weeks`);
    await expect(question.getByLabel('Preview')).toContainText('₹749.50');
    await expect(question.getByLabel('Preview')).toContainText('Credit note');
    await confirm(page, 'Approve');
    await question.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('table', { name: 'Asked of a second person' })).toContainText(approver.email);
    expect(await approving()).toBeLessThanOrEqual(5);
    expect(await creditNotes()).toHaveLength(1);
  } finally {
    for (const { context } of people) await context.close();
    await own.remove();
  }
});

test('a month is granted with at most three clicks, and its customer has it', async ({ page, product }) => {
  const customer = await newCustomer(product);
  await openAsOperator(page, product, await addOperator(product, 'owner'), '/');
  await addPasskey(page);
  const clicks = await countClicks(page);
  await find(page, customer.email);
  await expect(page.getByRole('heading', { level: 1, name: customer.name })).toBeVisible();
  await page.keyboard.press('g');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Product').fill('tax-lookup-api');
  await dialog.getByRole('textbox', { name: 'Plan' }).fill('none');
  await expect(dialog.getByText('has no plan none')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Plan' }).fill('growth');
  await confirm(page, 'Grant');
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused();
  // The letter of another action.
  await page.keyboard.press('b');
  await expect(dialog.getByText('It is done')).toBeVisible();
  expect(await clicks()).toBeLessThanOrEqual(3);
  const [activation] = (await customer.send(listActivations, {})).activations;
  expect(activation?.billingCycles[0]).toMatchObject({ status: 'NO_PAYMENT_REQUIRED' });
});

test('a quota is raised with at most five clicks, and the running gateway obeys at once', async ({ page, product }) => {
  // The plan of the test catalogue: 10 calls per day.
  const { customer, activationId } = await newPaidActivation(product, 'tiny');
  const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'calls' } });
  for (let done = 0; done < 10; done += 1) expect(await callApi(product, apiKey)).toBe(200);
  expect(await callApi(product, apiKey)).toBe(429);
  await openAsOperator(page, product, await addOperator(product, 'owner'), '/');
  await addPasskey(page);
  const clicks = await countClicks(page);
  await find(page, customer.email);
  await page
    .getByRole('button', { name: /^More: / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: /Raise the quota/ }).click();
  await page.getByRole('dialog').getByLabel('Units').fill('2');
  await confirm(page, 'Raise quota');
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push(await callApi(product, apiKey));
  expect(statuses).toEqual([200, 200, 429]);
  expect(await clicks()).toBeLessThanOrEqual(5);
});

test('a key is found by its beginning and revoked with at most four clicks, and the gateway refuses it at once', async ({
  page,
  product,
}) => {
  const { customer, activationId } = await newActivation(product, 'trial');
  const params = { activationId };
  const { apiKey } = await customer.send(createApiKey, { params, body: { keyName: 'leak' } });
  expect(await callApi(product, apiKey)).toBe(200);
  await openAsOperator(page, product, await addOperator(product, 'owner'), '/');
  await addPasskey(page);
  const clicks = await countClicks(page);
  await find(page, apiKey.slice(0, 16));
  await expect(page.getByText('leak, found')).toBeVisible();
  expect(page.url()).not.toContain(apiKey.slice(0, 16));
  await page.getByRole('button', { name: 'Revoke: leak' }).click();
  await confirm(page, 'Revoke');
  expect(await callApi(product, apiKey)).toBe(401);
  expect(await clicks()).toBeLessThanOrEqual(4);
  await page.goto('/operator/customers');
  await page.getByLabel('Find customers').fill(apiKey.slice(0, 16));
  await expect(page.getByRole('table', { name: 'Found' })).toContainText(customer.email);
  expect(page.url()).not.toContain('gstk_');
});
