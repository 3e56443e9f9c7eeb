import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/pay-links/texts.hi.ts')).hindi;

/** For the customer who has somebody else pay. */
export const payLinkOfferTexts = texts(
  (t) => ({
    offer: t('Let somebody else pay'),
    title: t('Pay link'),
    lead: t('Whoever has this link sees the amount, GST and your purchase order, and can pay without an account.'),
    ends: t(
      'It ends when this is paid, or when you remove or replace it. A new link ends all that you gave out before.',
    ),
    copy: t('Copy link'),
    renew: t('New link'),
    renewed: t('The links from before have ended'),
    failed: t('There is no link'),
    close: t('Close'),
  }),
  hindi,
);
