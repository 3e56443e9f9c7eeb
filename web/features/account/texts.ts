import type { MailKind } from '#shared/domain/mail-kind.ts';
import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/account/texts.hi.ts')).hindi;

/** Of the business profile. */
export const accountTexts = texts(
  (t) => ({
    title: t('Account'),
    parts: t('Parts of the account'),
    views: {
      details: t('Business details'),
      members: t('Members'),
      mails: t('Mails'),
      data: t('Your data'),
      activity: t('Activity'),
    },
    failed: t('Failed to load account data'),
    loading: t('Loading business details'),
    whyTitle: t('Why we ask'),
    why: t(
      'Your invoices show these, and we use them to contact you about a payment. A tax invoice must name the buyer and the State of supply: it decides between CGST with SGST, and IGST. With a GSTIN on it you can claim the tax as input credit. Without one, leave the field empty.',
    ),
    beforePaying: t('Add these once to continue to the payment.'),
    signedInAs: t('Signed in with Google as'),
    legalName: t('Legal name'),
    legalNameHint: t('The name on your invoices.'),
    phone: t('Phone'),
    phoneHint: t('With country code: +91 98765 43210'),
    gstin: t('GSTIN (optional)'),
    gstinHint: t('15 letters and digits, as on your registration certificate.'),
    gstinFaults: {
      length: (length: number) => t('A GSTIN has 15 characters; this one has {length}.', { length }),
      characters: (positions: string) =>
        t('A GSTIN contains only A-Z and 0-9. Check position {positions}.', { positions }),
      state: (stateCode: string) => t("''{stateCode}'' is not a state code of GST registrations.", { stateCode }),
      shape: (position: number) => t('Position {position} does not fit a GSTIN.', { position }),
      pan: t('The four digits of a PAN run from 0001 to 9999.'),
      check_character: (expected: string, actual: string) =>
        t("The last character should be ''{expected}'', not ''{actual}'': one of the 15 characters is mistyped.", {
          expected,
          actual,
        }),
    },
    gstinSound: (state: string) => t('Valid GSTIN, registered in {state}', { state }),
    pinElsewhere: (pin: string, states: string, state: string) =>
      t('PIN {pin} lies in {states}, not in {state}. Correct the PIN code or the State.', { pin, states, state }),
    pinNotOfGstin: (pin: string, states: string, state: string) =>
      t('PIN {pin} lies in {states}, but the GSTIN is registered in {state}. Correct the PIN code or the GSTIN.', {
        pin,
        states,
        state,
      }),
    unprintable: (character: string) =>
      t('Documents can’t show {character}: use Latin, Greek or Cyrillic letters, or a script of India', { character }),
    address: t('Address'),
    city: t('City'),
    pin: t('PIN code'),
    postalCode: t('Postal code'),
    country: t('Country'),
    countryHint: t('No GSTIN or State is needed outside India: the sale is an export.'),
    sez: t('A unit or developer in a Special Economic Zone'),
    sezHint: t('A GSTIN doesn’t show this. IGST applies to such supplies.'),
    state: t('State'),
    stateFromGstin: t('Taken from the GSTIN.'),
    statePlaceholder: t('Choose the State'),
    purchaseOrder: t('Purchase order (optional)'),
    purchaseOrderHint: t('Shown on the invoices of your next payments, until you change it.'),
    purchaseOrderDate: t('Date of the purchase order'),
    save: t('Save'),
    saveAndReturn: t('Save and continue'),
    saved: t('Business details saved'),
    cancel: t('Cancel'),
  }),
  hindi,
);

/** Of the download of everything that is kept. */
export const dataTexts = texts(
  (t) => ({
    lead: t('Everything that we keep about you, as one ZIP: readable by programs, with all documents.'),
    download: t('Download your data'),
    started: t('The download has started'),
    startedMore: t('Your browser shows its progress. With many documents it takes a while.'),
    failed: t('Your data could not be downloaded'),
  }),
  hindi,
);

/** Of the request to be erased. */
export const erasureTexts = texts(
  (t) => ({
    title: t('Erase your account'),
    lead: t('We delete everything that names you: your name, address, keys, support threads, request log and mails.'),
    kept: (day: string) =>
      t('Invoices and the records of their payments stay as the law requires, at least until {day}.', { day }),
    ask: t('Ask to be erased'),
    loading: t('Loading your request'),
    loadFailed: t('Your request could not be loaded'),
    question: t('Ask us to erase your account?'),
    questionText: t(
      'Your keys stop working and your plans end when we carry it out. Refunds are paid first. Download your data and invoices before.',
    ),
    keep: t('Keep my account'),
    asked: t('You asked to be erased'),
    askedMore: t('You can take this back until we carry it out.'),
    askedOn: (time: string) => t('You asked for this on {time}. We write to you when it is done.', { time }),
    withdraw: t('Take the request back'),
    withdrawn: t('Your request is taken back'),
    failed: t('Your request could not be changed'),
  }),
  hindi,
);

/** Of the choice of mails. */
export const mailTexts = texts(
  (t) => ({
    lead: t('Choose what we mail you. Invoices and other documents, disputes and security warnings are always sent.'),
    kinds: {
      'cycle.ending': t('A plan is about to end'),
      'quota.reached': t('Usage reaches 60, 80 or 100 % of a quota'),
      'payment.failed': t('A payment failed'),
      'refund.completed': t('A refund has arrived'),
      'webhook.disabled': t('A webhook was switched off'),
      'support.answered': t('Support has replied'),
      papers: t('Invoices and other documents, refunds and disputes'),
      bills: t('Bills that are paid later'),
      renewals: t('Renewals by mandate'),
      service: t('Changes of an API or of its limits'),
      keys: t('Warnings about keys'),
    } satisfies Record<MailKind, string>,
    allReplies: t('Support has replied, also in threads of others'),
    leads: {
      developer: t('Choose what we mail you. Warnings about keys are always sent.'),
      accountant: t('Choose what we mail you. The owner gets invoices and other documents in any case.'),
      viewer: t('Choose what we mail you. Without a choice you get nothing.'),
    },
    saved: t('Your choice is saved'),
    failed: t('Your choice could not be saved'),
  }),
  hindi,
);
