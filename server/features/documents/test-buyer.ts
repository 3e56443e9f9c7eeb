import type { Profile } from '#shared/contract/account.ts';
import { addCycle, endCycle } from '#shared/contract/cycles.ts';
import { listDocuments, readDocument } from '#shared/contract/documents.ts';
import { activateProduct } from '#shared/contract/marketplace.ts';
import { declareTaxClaim, readTaxClaim } from '#shared/contract/tax-claims.ts';
import { addDays, type Day, dayOf } from '#shared/domain/day.ts';
import { financialYearOf } from '#shared/domain/financial-year.ts';
import { sampleLetter, sampleProfile, type TestPortal } from '#server/test/portal.ts';

/** A valid setting LETTERS_OF_UNDERTAKING: this financial year and the next, whenever the test runs. */
export function sampleLetters(): string {
  const year = Number(financialYearOf(dayOf(Date.now())).slice(0, 4));
  return [year, year + 1].map((each) => `AD2703${each % 100}000001A:${each}-04-01:${each + 1}-03-31`).join(',');
}

/** Declares what the customer's profile claims about tax, if anything. */
export async function declareClaim(portal: Pick<TestPortal, 'ask'>, token: string): Promise<void> {
  const { needed } = await portal.ask(readTaxClaim, {}, token);
  if (needed) await portal.ask(declareTaxClaim, { body: { name: 'letter.pdf', letter: sampleLetter } }, token);
}

/** A test customer who buys cycles of the tax look-up API and reads the documents. */
export async function newBuyer(
  portal: TestPortal,
  { proves = true, ...profile }: Partial<Profile> & { proves?: boolean } = {},
) {
  const token = await portal.newCustomer({ ...sampleProfile, ...profile });
  if (proves) await declareClaim(portal, token);
  const { activationId, billingCycleId: trial = '' } = await portal.ask(
    activateProduct,
    { params: { id: 'invoicing-system' } },
    token,
  );
  const end = (billingCycleId: string) => portal.ask(endCycle, { params: { activationId, billingCycleId } }, token);
  // The trial would cover the days that the tests buy.
  await end(trial);
  const today = (): Day => dayOf(portal.portal.clock());
  const documents = async () => (await portal.ask(listDocuments, {}, token)).documents.toReversed();
  return {
    token,
    activationId,
    today,
    end,
    /** Documents, oldest first. */
    documents,
    /** Buys and pays for a cycle that starts `inDays` days from today. */
    buy: async (inDays: number, planId = 'growth') => {
      const { billingCycleId: id = '' } = await portal.ask(
        addCycle,
        { params: { activationId, planId }, body: { startDate: addDays(today(), inDays) } },
        token,
      );
      await portal.buy(token, id);
      return id;
    },
    /** The bytes of a downloaded document. */
    download: async (documentId: string, version: 'current' | 'original' = 'current'): Promise<Buffer> => {
      const { downloadUrl } = await portal.ask(readDocument, { params: { documentId }, query: { version } }, token);
      return Buffer.from(await (await fetch(downloadUrl)).arrayBuffer());
    },
  };
}
