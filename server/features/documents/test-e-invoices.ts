import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeIn } from '#shared/domain/test-place.ts';
import { createGspEInvoices } from '#server/e-invoice/gsp.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';
import { startGstn } from '#ship/standins/gstn/gstn.ts';
import { newBuyer } from './test-buyer.ts';

/** The GSTIN of a business whose registration was cancelled: the invoice portal refuses it (3074). */
export const cancelledBusiness = { gstin: '07ZZZCA0001A1Z6', ...placeIn('07') };

/** The stand-in of the invoice portal, and a client of it. */
export async function startInvoicePortal() {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-gstn-'));
  const secrets = { clientId: 'local', clientSecret: 'local-secret' };
  const gstn = await startGstn({ port: 0, ...secrets, folder }, () => Date.now());
  const supplier = { user: 'supplier', password: 'supplier-password', gstin: '27ZZZCA0001A1Z4' };
  const eInvoices = createGspEInvoices({ url: gstn.url, ...secrets, ...supplier }, () => Date.now());
  return {
    url: gstn.url,
    eInvoices,
    close: async (): Promise<void> => {
      await gstn.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A portal, without jobs and webhooks unless `jobs`, whose documents are registered with the stand-in of the invoice portal. */
export async function startPortalWithGstn(options: { catalogDir?: string; jobs?: boolean } = {}) {
  const invoicePortal = await startInvoicePortal();
  const { url, eInvoices } = invoicePortal;
  const portal = await startTestPortal({ jobs: false, ...options, eInvoices });
  if (options.jobs !== true) await portal.behave({ webhooks: { enabled: false } });
  return {
    portal,
    url,
    /** Sets how the stand-in behaves: `{}` as usual. */
    behave: (behaviour: object) =>
      fetch(`${url}/standin/behaviour`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(behaviour),
      }),
    close: async (): Promise<void> => {
      await portal.close();
      await invoicePortal.close();
    },
  };
}

/** A customer with one invoice that must be registered. */
export async function invoicedBuyer(portal: TestPortal, profile: object) {
  const buyer = await newBuyer(portal, profile);
  await buyer.buy(0);
  const [invoice] = await buyer.documents();
  if (!invoice) throw new Error('no invoice');
  return { buyer, invoice };
}

/** The mails about the refusal of a document. */
export function mailsAboutRefusal(portal: TestPortal, documentId: string) {
  return portal.portal.db
    .selectFrom('mails')
    .select(['subject', 'body_text'])
    .where('dedupe_key', '=', `refused:${documentId}`)
    .execute();
}
