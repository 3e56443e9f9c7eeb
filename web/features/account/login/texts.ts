import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/account/login/texts.hi.ts')).hindi;

/** Of the sign-in page. */
export const loginTexts = texts(
  (t) => ({
    title: t('Login'),
    heading: t('One dashboard to manage everything'),
    lead: t('Activate plans, read your billing history and issue developer API keys for GST lookup and GST invoicing.'),
    signUpOrLogin: t('Signup or Login'),
    linked: t('Your Google account is linked to all your products and subscriptions.'),
    apis: t('See the APIs and their prices'),
    features: [
      { title: t('Plans'), text: t('Start free, then prepay the months ahead.') },
      { title: t('Billing history'), text: t('Every payment, with its invoice to download.') },
      { title: t('Developer API keys'), text: t('Generate in seconds, revoke just as fast.') },
    ],
    picture: {
      service: t('Tax Lookup API'),
      requests: t('Daily requests'),
      cycle: t('This cycle'),
      day: t('Day 18 of 30'),
      left: t('35,920 left'),
      plan: t('Growth, 30 days'),
      active: t('Active'),
      paid: t('Paid'),
      invoice: t('Invoice'),
    },
    support: t('24/7 support'),
    uptime: t('99.9% uptime'),
    ended: t('Your session has ended: not used for 30 minutes, 12 hours old, or ended elsewhere. Log in to go on.'),
    failed: t('Login failed. Please try again.'),
    preparing: t('Loading Google sign-in'),
    signingIn: t('Signing in'),
    unavailable: t('Google sign-in could not be loaded'),
    unavailableHint: t('Check the connection, and that nothing blocks scripts from Google on this page.'),
  }),
  hindi,
);
