import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/accountants/texts.hi.ts')).hindi;

/** Of the accountant on the billing page. */
export const accountantTexts = texts(
  (t) => ({
    title: t('Your accountant'),
    loading: t('Loading your accountant'),
    failed: t('Failed to load your accountant'),
    lead: t('On the 1st of each month we mail last month’s documents as a ZIP: PDFs, purchase register and usage.'),
    email: t('Your accountant’s e-mail address'),
    emailHint: t('We ask there first. Nothing is sent until your accountant confirms.'),
    ask: t('Send request'),
    asking: t('Sending...'),
    asked: t('We asked your accountant'),
    askedMore: (email: string) => t('{email} has a mail with a link to confirm.', { email }),
    notAsked: t('Your accountant was not asked'),
    address: t('Address'),
    state: t('Status'),
    waiting: (day: string) => t('Asked on {day}, not confirmed yet', { day }),
    expired: (day: string) => t('Asked on {day}, not answered in time', { day }),
    on: (day: string) => t('Gets your documents since {day}', { day }),
    answerBy: t('Link valid until'),
    askAgain: t('Ask again'),
    remove: t('Switch off'),
    removeTitle: t('Stop mailing your accountant?'),
    removeQuestion: (email: string) =>
      t('{email} gets no more documents. To start again, your accountant has to confirm again.', { email }),
    keep: t('Keep it on'),
    removing: t('Switching off...'),
    removed: t('Your accountant gets no more mails'),
    removeFailed: t('The mails could not be switched off'),
  }),
  hindi,
);

/** Of the page that accountants open from a mail. */
export const answerTexts = texts(
  (t) => ({
    title: t('Monthly documents by mail'),
    loading: t('Loading the request'),
    failed: t('Failed to load the request'),
    asked: (customer: string, email: string) =>
      t(
        '{customer} wants to send invoices, vouchers, purchase register and usage to {email} on the 1st of each month.',
        { customer, email },
      ),
    askedTitle: t('Do you want these mails?'),
    confirm: t('Yes, send them'),
    decline: t('No, thanks'),
    onTitle: t('You get the documents'),
    on: (customer: string, email: string) =>
      t('The documents of {customer} go to {email} on the 1st of each month.', { customer, email }),
    stop: t('Stop these mails'),
    endedTitle: t('No more mails'),
    ended: (customer: string, email: string) =>
      t('Nothing of {customer} is sent to {email}. You don’t need to do anything.', { customer, email }),
    expiredTitle: t('This link has expired'),
    expired: (customer: string) => t('Ask {customer} for a new one if you want the documents.', { customer }),
    confirmed: t('You get the documents from now on'),
    stopped: t('You get no more mails'),
    notSaved: t('Your answer was not saved'),
    saving: t('Saving...'),
  }),
  hindi,
);
