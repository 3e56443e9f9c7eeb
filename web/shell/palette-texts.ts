import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/shell/texts.hi.ts')).hindi;

/** Of the search over everything. */
export const paletteTexts = texts(
  (t) => ({
    label: t('Search'),
    placeholder: t('Search pages, keys, invoices'),
    nothing: t('Nothing found'),
    found: t('Found'),
    kinds: {
      INVOICE: t('Invoice'),
      RECEIPT_VOUCHER: t('Receipt voucher'),
      REFUND_VOUCHER: t('Refund voucher'),
      CREDIT_NOTE: t('Credit note'),
    },
    key: t('API key'),
    revokedKey: t('Revoked API key'),
    activations: t('Activations'),
    actions: t('Actions'),
    pages: t('Pages'),
    dark: t('Switch to dark mode'),
    light: t('Switch to light mode'),
    themeWords: [t('theme'), t('appearance')],
    inHindi: t('View in Hindi'),
    logout: t('Logout'),
    keys: (service: string) => t('API keys of {service}', { service }),
    usage: (service: string) => t('Usage of {service}', { service }),
    requests: (service: string) => t('Request log of {service}', { service }),
    reference: (service: string) => t('Reference of {service}', { service }),
    pay: (service: string) => t('Complete payment of {service}', { service }),
  }),
  hindi,
);
