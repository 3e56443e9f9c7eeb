import { transaction } from '#shared/database/transaction.ts';
import { readProfile } from '#server/features/account/account.ts';
import { happened } from '#server/features/events/events.ts';
import type { Owner, Portal } from '#server/portal.ts';

/** Mails the papers of a payment to its payer, once. The address is kept with that mail alone. */
export async function sendPapers(portal: Portal, owner: Owner, paymentId: string, email: string): Promise<void> {
  await transaction(portal.db, async (tx) => {
    const documents = await tx
      .selectFrom('documents')
      .select(['id', 'kind', 'number', 'issued_on as issuedOn'])
      .where('payment_id', '=', paymentId)
      .where('customer_id', '=', owner.customerId)
      .where('refers_to', 'is', null)
      .orderBy('issued_at')
      .orderBy('number')
      .execute();
    const profile = await readProfile(owner, tx);
    if (documents.length === 0 || !profile) return;
    const about = { paymentId, documents, email, customerName: profile.legalName };
    await happened(portal, owner, tx, { type: 'payer.papers_asked', ...about });
  });
}
