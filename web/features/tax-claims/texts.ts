import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/tax-claims/texts.hi.ts')).hindi;

/** Of the declaration about an SEZ or an address abroad. */
export const taxClaimTexts = texts(
  (t) => ({
    title: t('Tax declaration'),
    loading: t('Loading your tax declaration'),
    failed: t('Failed to load your tax declaration'),
    sez: (gstin: string) =>
      t(
        'By uploading a letter you declare, dated today, that {gstin} belongs to a unit or developer in a Special Economic Zone. A letter of approval is suitable. Until then you are charged tax like any other business.',
        { gstin },
      ),
    sezConfirmed: (gstin: string, day: string) =>
      t(
        'The GST portal confirmed on {day} that {gstin} belongs to a unit or developer in a Special Economic Zone. No letter is needed.',
        {
          gstin,
          day,
        },
      ),
    sezDenied: (gstin: string, day: string) =>
      t('On {day} the GST portal did not list {gstin} as an active unit or developer in a Special Economic Zone.', {
        gstin,
        day,
      }),
    sezDeniedMore: t(
      'You are charged tax like any other business, and a letter does not change that. Have your registration corrected at the GST portal, or remove the mark above. Then save again.',
    ),
    kind: t('Kind of registration'),
    abroad: t(
      'By uploading a letter you declare, dated today, that your business is outside India. A certificate of incorporation or a tax certificate is suitable. Until then IGST is charged.',
    ),
    declaredSez: (gstin: string) =>
      t('You have declared that {gstin} belongs to a unit or developer in a Special Economic Zone, with this letter.', {
        gstin,
      }),
    declaredAbroad: t('You have declared that your business is outside India, with this letter.'),
    rules: t('PDF, JPEG or PNG, at most 1 MB. Only you and our tax team can see it.'),
    choose: t('Declare and upload letter'),
    replace: t('Replace letter'),
    uploading: t('Uploading...'),
    uploaded: t('Your declaration is stored'),
    uploadedMore: t('It applies to documents from now on. You can correct earlier invoices on the Billing Portal.'),
    tooLarge: t('This file is larger than 1 MB. Choose a smaller one.'),
    wrongType: t('This file is not a PDF, JPEG or PNG. Choose another one.'),
    uploadFailed: t('Your letter was not uploaded'),
    declaredOn: t('Declared on'),
    letter: t('Letter'),
    size: (kilobytes: number) => t('{kilobytes} KB', { kilobytes }),
    download: t('Download letter'),
    downloadFailed: t('Failed to download your letter'),
    remove: t('Withdraw'),
    removing: t('Withdrawing...'),
    removeTitle: t('Withdraw this declaration?'),
    removeQuestion: t('From now on you are charged tax. Documents that were issued don’t change.'),
    removed: t('Your declaration is withdrawn'),
    removeFailed: t('Your declaration was not withdrawn'),
    keep: t('Keep it'),
  }),
  hindi,
);
