import type { Mails } from '#server/features/mail/event-mail.ts';
import * as tdsTexts from '#server/features/mail/tds-texts.ts';
import * as refundTexts from '#server/features/mail/refund-texts.ts';

/** The mails about refunds and tax deducted at source. */
export const refundMails = {
  'refund.started': async (event, { planOf, payPath, transferOf }) => {
    // The mail about the accepted claim says it.
    if (event.tdsClaimId !== undefined) return undefined;
    const [plan, transfer] = [await planOf(event.cycleId), await transferOf(event.paymentId)];
    const path = transfer?.wrong && (await payPath({ paymentId: event.paymentId }));
    if (transfer?.wrong && path !== undefined)
      return { letter: refundTexts.wrongAmount(plan, event, { utr: transfer.utr, ...transfer.wrong }, path) };
    return {
      letter: refundTexts.refundStarted(plan, event, transfer),
      ...(event.document && { documentIds: [event.document.id] }),
    };
  },
  'refund.turned': async (event, { planOf, transferOf }) => ({
    letter: refundTexts.refundTurned(await planOf(event.cycleId), event, await transferOf(event.paymentId)),
  }),
  'refund.transfer_due': async (event, { readSender }) => ({
    letter: refundTexts.transferDue(event, await readSender()),
    toSupport: true,
  }),
  'refund.completed': async (event, { planOf, transferOf }) => ({
    letter: refundTexts.refundDone(await planOf(event.cycleId), event, await transferOf(event.paymentId)),
  }),
  'tds.declared': async (event, { readSender }) => ({
    letter: tdsTexts.tdsDeclared(event, await readSender()),
    toSupport: true,
  }),
  'tds.accepted': async (event, { transferOf }) => ({
    letter: tdsTexts.tdsAccepted(event, await transferOf(event.paymentId)),
  }),
  'tds.refused': (event) => ({ letter: tdsTexts.tdsRefused(event) }),
} satisfies Partial<Mails>;
