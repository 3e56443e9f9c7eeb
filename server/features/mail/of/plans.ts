import type { Mails } from '#server/features/mail/event-mail.ts';
import * as providerTexts from '#server/features/mail/provider-texts.ts';
import * as texts from '#server/features/mail/texts.ts';

/** The mails about plans, their quota and their APIs. */
export const planMails = {
  'cycle.invoiced': async ({ cycleId, dates, invoice }, { planOf }) => ({
    letter: texts.planStarted(await planOf(cycleId), dates, invoice),
    documentIds: [invoice.id],
  }),
  'cycle.ending': async ({ cycleId, daysLeft, toDate }, { planOf }) => ({
    letter: texts.planEnds(await planOf(cycleId), daysLeft, toDate),
  }),
  'quota.reached': async (event, { planOf }) => {
    const kind = event.day === null ? 'monthly' : 'daily';
    return { letter: texts.quotaUsed(await planOf(event.cycleId), { ...event, kind, notice: event.percent }) };
  },
  'plan.granted': async (event, { planOf }) => ({
    letter: providerTexts.planGranted(await planOf(event.cycleId), event),
  }),
  'plan.withdrawn': async (event, { planOf }) => ({
    letter: providerTexts.planWithdrawn(await planOf(event.cycleId), event),
  }),
  'quota.raised': async (event, { planOf }) => ({
    letter: providerTexts.quotaRaised(await planOf(event.cycleId), event),
  }),
  'rate.set': (event, { nameOfProduct }) => ({
    letter: providerTexts.rateSet(nameOfProduct(event.productId), event),
  }),
  'api.deprecated': async (event, { planOf }) => ({
    letter: providerTexts.apiDeprecated((await planOf(event.cycleId)).productName, event),
  }),
} satisfies Partial<Mails>;
