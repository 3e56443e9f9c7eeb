import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/shell/texts.hi.ts')).hindi;

/** Of the frame around every page. */
export const shellTexts = texts(
  (t) => ({
    brand: 'PORTAL',
    mainNavigation: t('Main'),
    menuNavigation: t('Menu'),
    breadcrumb: t('Breadcrumb'),
    back: t('Back'),
    /** The names of pages in breadcrumbs, search and navigation. */
    pages: {
      home: t('Home'),
      marketplace: t('Marketplace'),
      billing: t('Billing'),
      developers: t('Developer Portal'),
      reporting: t('Reporting'),
      requests: t('Request log'),
      support: t('Support Portal'),
      account: t('Account'),
      reference: t('API documentation'),
      webhooks: t('Webhooks'),
    },
    languageFailed: t('The language could not be changed'),
    /** The other language, in that language, so that its readers find it. */
    otherLanguage: {
      en: { word: 'हिन्दी', name: 'हिन्दी में देखें', lang: 'hi' },
      hi: { word: 'English', name: 'View in English', lang: 'en' },
    },
    skip: t('Skip to content'),
    search: t('Search'),
    openMenu: t('Open menu'),
    closeMenu: t('Close menu'),
    toDark: t('Switch to dark mode'),
    toLight: t('Switch to light mode'),
    theme: t('Theme'),
    logout: t('Logout'),
    account: t('Account'),
    accountOf: (name: string) => (name === '' ? t('Account') : t('Account of {name}', { name })),
    support: t('Support'),
    /** Of the provider, at /docs. */
    guides: t('Guides'),
    unreadReplies: (count: number) =>
      t('{count, plural, one {Support: # new reply} other {Support: # new replies}}', { count }),
    legal: t('Terms and policies'),
    legalLinks: {
      terms: t('Terms'),
      privacy: t('Privacy'),
      refunds: t('Refunds'),
      contact: t('Contact'),
    },
    standins: t('Test installation: sign-in and payments are simulated, and no money moves.'),
    rehearsal: t('Rehearsal: everything works as in production, and no money moves.'),
    notFoundTitle: t('Page not found'),
    notFoundHere: t('There is nothing at this address'),
    notFound: t('The link may be old or incomplete.'),
    openMarketplace: t('Open Marketplace'),
    brokenTitle: t('This page could not be shown'),
    broken: t('Something went wrong on this page. Reload it to see the current state.'),
  }),
  hindi,
);
