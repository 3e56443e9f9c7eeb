import type { Mails } from '#server/features/mail/event-mail.ts';
import * as renewalTexts from '#server/features/mail/renewal-texts.ts';

/** The mails about mandates and renewals. */
export const renewalMails = {
  'mandate.confirmed': (event) => ({ letter: renewalTexts.mandateConfirmed(event) }),
  'mandate.ended': ({ endedBy, ...mandate }) =>
    endedBy === 'DELETION' ? undefined : { letter: renewalTexts.mandateEnded({ ...mandate, endedBy }) },
  'renewal.announced': async (event, { planOf }) => ({
    letter: renewalTexts.renewalAnnounced(await planOf(event.cycleId), event),
  }),
  // Of an account that is blocked, its own mail says so.
  'renewal.withheld': async (event, { planOf, payPath }) => {
    if (event.reason === 'blocked') return undefined;
    const { activationId, toDate: debitedFrom, reason, behindRecharge } = event;
    const cycleId = behindRecharge?.cycleId ?? undefined;
    const toPay =
      reason === 'no_answer' ? { activationId, debitedFrom } : cycleId === undefined ? undefined : { cycleId };
    const link = toPay && (await payPath(toPay));
    return { letter: renewalTexts.renewalWithheld(await planOf(event.cycleId), event, link) };
  },
  'renewal.failed': async (event, { planOf, payPath }) => ({
    letter: renewalTexts.renewalFailed(await planOf(event.cycleId), event, await payPath({ cycleId: event.cycleId })),
  }),
} satisfies Partial<Mails>;
