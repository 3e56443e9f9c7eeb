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
    tds: t(
      'If you deduct TDS, say so here before you transfer: the amount less TDS then pays too. Or transfer the full amount and declare the TDS afterwards: we pay it back to you.',
    ),
    deduct: t('I deduct TDS'),
    tan: t('Your TAN'),
    tanHint: t('Four letters, five digits, a letter'),
    tanFault: t('Enter your TAN, such as MUMA12345B.'),
    percent: t('Deducted from the value without GST'),
    percents: { 10: t('10 %, professional services'), 2: t('2 %, technical services') },
    save: t('Save'),
    cancel: t('Cancel'),
    change: t('Change'),
    takeBack: t('I don’t deduct TDS'),
    lessTds: (percent: number, tds: string) => t('Or less {percent} % TDS ({tds})', { percent, tds }),
    either: (tan: string) =>
      t(
        'Transfer either amount exactly. TAN {tan} stays for later transfers; send us the certificate in your billing history once you have it.',
        { tan },
      ),
    tdsFailed: t('Your TDS could not be saved'),
    withheld: t(
      'Your plan renews automatically, but nothing is debited for these days while we wait for your transfer.',
    ),
    close: t('Close'),
  }),
  hindi,
);
