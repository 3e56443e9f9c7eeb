import type { Mails } from '#server/features/mail/event-mail.ts';
import * as disputeTexts from '#server/features/mail/dispute-texts.ts';
import * as texts from '#server/features/mail/texts.ts';
import * as transferTexts from '#server/features/mail/transfer-texts.ts';

/** The mails about payments and the disputes about them. */
export const paymentMails = {
  'payment.received': async (event, { planOf }) => ({
    letter: texts.paymentReceived(await planOf(event.cycleId), event),
    documentIds: event.periods.map(({ document }) => document.id),
  }),
  'transfer.held': async (event, { planOf }) => ({
    letter: transferTexts.transferHeld(await planOf(event.cycleId), event),
  }),
  'payment.failed': async (event, { planOf, payPath }) => ({
    letter: texts.paymentFailed(await planOf(event.cycleId), event, await payPath({ paymentId: event.paymentId })),
  }),
  'dispute.opened': async (event, { planOf }) => ({
    letter: disputeTexts.disputeOpened(await planOf(event.cycleId), event),
  }),
  'dispute.ended': async (event, { planOf }) => ({
    letter: disputeTexts.disputeEnded(await planOf(event.cycleId), event),
  }),
  'dispute.reported': async (event, { readSender }) => ({
    letter: disputeTexts.disputeReported(event, await readSender()),
    toSupport: true,
  }),
} satisfies Partial<Mails>;
