import type { Mails } from '#server/features/mail/event-mail.ts';
import * as billTexts from '#server/features/mail/bill-texts.ts';

/** The mails about bills of what is paid later. */
export const billMails = {
  'bill.issued': async (event, { planOf, payPath }) => ({
    letter: billTexts.billIssued(await planOf(event.cycleId), event, await payPath({ cycleId: event.cycleId })),
    documentIds: [event.document.id],
  }),
  'bill.due': async (event, { planOf, payPath, stopsPlans }) => ({
    letter: billTexts.billDue(
      await planOf(event.cycleId),
      event,
      await payPath({ cycleId: event.cycleId }),
      await stopsPlans(event.stopsOn),
    ),
    documentIds: [event.invoice.id],
  }),
  'bill.reported': async (event, { planOf, readSender }) => ({
    letter: billTexts.billReported(await planOf(event.cycleId), event, await readSender()),
    toSupport: true,
  }),
  'bill.paid': async (event, { planOf }) => ({ letter: billTexts.billPaid(await planOf(event.cycleId), event) }),
} satisfies Partial<Mails>;
