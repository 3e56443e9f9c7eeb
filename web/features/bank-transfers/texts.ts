import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/bank-transfers/texts.hi.ts')).hindi;

/** Of payment by bank transfer. */
export const bankTransferTexts = texts(
  (t) => ({
    lead: (plan: string) =>
      t('Transfer exactly this amount by NEFT, RTGS or IMPS. {plan} starts as soon as it arrives.', { plan }),
    amount: t('Amount'),
    number: t('Account number'),
    ifsc: t('IFSC'),
    name: t('Account name'),
    bank: t('Bank'),
    exact: t('This account number is yours alone. Any other amount can’t be matched and is refunded in full.'),
    tds: t('If you deduct TDS, transfer the full amount and declare the TDS afterwards: we pay it back to you.'),
    withheld: t(
      'Your plan renews automatically, but nothing is debited for these days while we wait for your transfer.',
    ),
    close: t('Close'),
  }),
  hindi,
);
