import type { Mails } from '#server/features/mail/event-mail.ts';
import * as rechargeTexts from '#server/features/mail/recharge-texts.ts';

/** The mails about packs that a mandate debits. */
export const rechargeMails = {
  'recharge.agreed': (event) => ({ letter: rechargeTexts.rechargeAgreed(event) }),
  'recharge.ended': (event) => ({ letter: rechargeTexts.rechargeEnded(event) }),
  'recharge.announced': async (event, { planOf }) => ({
    letter: rechargeTexts.rechargeAnnounced(await planOf(event.cycleId), event),
  }),
  'recharge.withheld': async (event, { planOf }) => ({
    letter: rechargeTexts.rechargeWithheld(await planOf(event.cycleId), event),
  }),
  'recharge.failed': async (event, { planOf, payPath }) => ({
    letter: rechargeTexts.rechargeFailed(
      await planOf(event.cycleId),
      event,
      event.isMoot ? undefined : await payPath({ cycleId: event.cycleId }),
    ),
  }),
} satisfies Partial<Mails>;
