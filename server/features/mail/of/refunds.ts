import type { Mails } from '#server/features/mail/event-mail.ts';
import * as tdsTexts from '#server/features/mail/tds-texts.ts';
import * as refundTexts from '#server/features/mail/refund-texts.ts';

/** The mails about refunds and tax deducted at source. */
export const refundMails = {
  'refund.started': async (event, { planOf }) =>
    // The mail about the accepted claim says it.
    event.tdsClaimId === undefined
      ? {
          letter: refundTexts.refundStarted(await planOf(event.cycleId), event),
          ...(event.document && { documentIds: [event.document.id] }),
        }
      : undefined,
  'refund.turned': async (event, { planOf }) => ({
    letter: refundTexts.refundTurned(await planOf(event.cycleId), event),
  }),
  'refund.transfer_due': async (event, { readSender }) => ({
    letter: refundTexts.transferDue(event, await readSender()),
    toSupport: true,
  }),
  'refund.completed': async (event, { planOf }) => ({
    letter: refundTexts.refundDone(await planOf(event.cycleId), event),
  }),
  'tds.declared': async (event, { readSender }) => ({
    letter: tdsTexts.tdsDeclared(event, await readSender()),
    toSupport: true,
  }),
  'tds.accepted': (event) => ({ letter: tdsTexts.tdsAccepted(event) }),
  'tds.refused': (event) => ({ letter: tdsTexts.tdsRefused(event) }),
} satisfies Partial<Mails>;
