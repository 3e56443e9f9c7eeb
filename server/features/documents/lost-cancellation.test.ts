import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EInvoices, EInvoiceUnavailable } from '#server/e-invoice/e-invoices.ts';
import { cancelEInvoice } from '#server/features/refunds/refunds.ts';
import { invoicedBuyer, startPortalWithGstn } from './test-e-invoices.ts';

const cause = { actor: 'asha', reason: 'Wrong buyer' };
let world: Awaited<ReturnType<typeof startPortalWithGstn>>;
beforeAll(async () => void (world = await startPortalWithGstn()));
afterAll(() => world.close());

test('after a lost response an operator learns that it may be cancelled there, and the same again replaces the invoice', async () => {
  const { eInvoices } = world.portal.portal;
  if (eInvoices === undefined) throw new Error('no e-invoices');
  const { buyer, invoice } = await invoicedBuyer(world.portal, { gstin: '29ZZZCA0001A1Z0' });
  await buyer.download(invoice.id);
  const cancelWith = (used: EInvoices) =>
    cancelEInvoice({ ...world.portal.portal, eInvoices: used }, invoice.number, 'data-entry-mistake', cause);
  const cancel: EInvoices['cancel'] = async (...asked) => {
    await eInvoices.cancel(...asked);
    throw new EInvoiceUnavailable('The response was lost');
  };
  await expect(cancelWith({ ...eInvoices, cancel })).rejects.toThrow(`${invoice.number} may be cancelled there`);
  expect((await buyer.documents()).map(({ cancelled }) => cancelled)).toEqual([false]);
  await cancelWith(eInvoices);
  expect((await buyer.documents()).map(({ cancelled }) => cancelled)).toEqual([true, false]);
});
