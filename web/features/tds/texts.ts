import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/tds/texts.hi.ts')).hindi;

/** Of tax deducted at source (TDS). */
export const tdsTexts = texts(
  (t) => ({
    declare: t('Declare TDS'),
    open: t('TDS'),
    title: t('Tax deducted at source (TDS)'),
    note: {
      WAITING: (amount: string) => t('TDS of {amount} under review', { amount }),
      ACCEPTED: (amount: string) => t('TDS of {amount} accepted', { amount }),
      REFUSED: (amount: string) => t('TDS of {amount} not accepted', { amount }),
    },
    withheld: (amount: string) => t('TDS of {amount} deducted: certificate to come', { amount }),
    told: {
      WAITING: t('We compare your certificate with this claim, and write to you when we have decided.'),
      ACCEPTED: t('We refund the amount. Your invoice stays as it is.'),
      REFUSED: t('We could not accept this claim. You can correct it and declare again.'),
    },
    toldWithheld: t('Your certificate is accepted. Nothing is left to do.'),
    leadWithheld: (number: string) =>
      t(
        'You transferred invoice {number} less TDS. Declare it with the certificate (Form 16A or its successor), which proves that you paid this tax for us.',
        { number },
      ),
    amountWithheld: (amount: string) => t('As you transferred it less: {amount}', { amount }),
    lead: (number: string) =>
      t(
        'If you paid tax for us on invoice {number}, declare it with the certificate (Form 16A or its successor). When we accept it, you get the amount back.',
        { number },
      ),
    amount: t('TDS in rupees'),
    amountHint: (max: string) => t('Of the value without GST; at most {max}', { max }),
    amountFault: t('Enter an amount in rupees, such as 127.03.'),
    tan: t('Your TAN'),
    tanHint: t('Four letters, five digits, a letter'),
    tanFault: t('Enter your TAN, such as MUMA12345B.'),
    quarter: t('Quarter of the deduction'),
    certificate: t('Certificate'),
    certificateHint: t('PDF, JPEG or PNG, at most 1 MB'),
    certificateFault: t('Choose the certificate.'),
    choose: t('Choose file'),
    chooseOther: t('Choose another file'),
    tooLarge: t('This file is larger than 1 MB. Choose a smaller one.'),
    wrongType: t('This file is not a PDF, JPEG or PNG. Choose another one.'),
    declaring: t('Sending...'),
    declared: t('Your TDS is declared'),
    declaredMore: t('We write to you when we have checked the certificate.'),
    declareFailed: t('Your TDS was not declared'),
    cancel: t('Cancel'),
    close: t('Close'),
    status: t('Status'),
    statuses: { WAITING: t('Under review'), ACCEPTED: t('Accepted'), REFUSED: t('Not accepted') },
    reason: t('Reason'),
    section: t('Section'),
    sections: {
      '194J': t('194J, Income-tax Act 1961'),
      '393(1)': t('393(1), Income-tax Act 2025'),
    },
    declaredOn: t('Declared on'),
    decidedOn: t('Decided on'),
    download: t('Download certificate'),
    downloadFailed: t('Failed to download your certificate'),
  }),
  hindi,
);
