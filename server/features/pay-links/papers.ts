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
      // What paid a bill has no paper of its own: the invoice was issued when it was sold.
      .where((document) =>
        document.or([
          document('payment_id', '=', paymentId),
          document.exists(
            document
              .selectFrom('payments')
              .innerJoin('current_papers', 'current_papers.cycle_id', 'payments.cycle_id')
              .select('document_id')
              .where('payments.provider_payment_id', '=', paymentId)
              .where('payments.use', '=', 'DUE')
              .whereRef('current_papers.document_id', '=', 'documents.id'),
          ),
        ]),
      )
      .where('customer_id', '=', owner.customerId)
      .where((document) => document.or([document('refers_to', 'is', null), document('payment_id', '<>', paymentId)]))
      .orderBy('issued_at')
      .orderBy('number')
      .execute();
    const profile = await readProfile(owner, tx);
    if (documents.length === 0 || !profile) return;
    const about = { paymentId, documents, email, customerName: profile.legalName };
    await happened(portal, owner, tx, { type: 'payer.papers_asked', ...about });
  });
}
