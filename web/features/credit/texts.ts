import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/features/credit/texts.hi.ts')).hindi;

/** Of the way to pay later. */
export const payLaterTexts = texts(
  (t) => ({
    offer: (day: string) => t('Pay later, due on {day}', { day }),
    title: t('Pay later'),
    lead: (amount: string, day: string) =>
      t('{amount} is due on {day}. Your plan begins now, with its tax invoice, as if it were paid.', { amount, day }),
    stops: (days: number) =>
      t(
        'If it is more than {days, plural, one {# day} other {# days}} overdue, calls of the plans that you have not paid for stop until it is paid.',
        { days },
      ),
    left: (amount: string) => t('You can pay up to {amount} later.', { amount }),
    confirm: t('Begin now, pay later'),
    cancel: t('Cancel'),
    done: (plan: string) => t('{plan} has begun. Its invoice is under Billing.', { plan }),
    failed: t('It could not be begun'),
    notAgain: t('There is nothing to begin'),
    notAgainMore: t('The plan has begun already, or was paid or removed, perhaps in another tab.'),
  }),
  hindi,
);

/** Of bills that are paid later, and the statement of account. */
export const billTexts = texts(
  (t) => ({
    title: t('Bills to pay later'),
    terms: (limit: string, days: number, left: string) =>
      t('Within {days, plural, one {# day} other {# days}}, up to {limit} at once; {left} of your limit is left.', {
        days,
        limit,
        left,
      }),
    noMore: {
      OVERDUE: t('A bill is overdue: nothing more can be paid later until it is paid.'),
      WRITTEN_OFF: t('A bill was written off: nothing more can be paid later until it is paid.'),
    },
    none: t('Nothing is due.'),
    invoice: t('Invoice'),
    plan: t('Plan'),
    dueOn: t('Due on'),
    due: t('Due'),
    state: t('Status'),
    action: t('Pay'),
    states: {
      PAID: t('Paid'),
      DUE: t('Due'),
      OVERDUE: t('Overdue'),
      STOPPED: t('Calls stopped'),
      WRITTEN_OFF: t('Written off'),
    },
    stopped: t('Calls of the plans that you have not paid for are refused until the overdue bill is paid.'),
    statement: t('Statement of account'),
    from: t('From'),
    to: t('Until'),
    loading: t('Loading the statement'),
    failed: t('The statement could not be loaded'),
    noSpan: t('Choose two days, “From” not after “Until”.'),
    csv: t('Download as CSV'),
    pdf: t('Download as PDF'),
    pdfFile: (from: string, to: string) => `statement-${from}-${to}.pdf`,
    pdfFailed: t('The statement could not be downloaded'),
    opening: t('Opening balance'),
    closing: t('Closing balance'),
    on: t('Day'),
    what: t('What'),
    reference: t('Number'),
    amount: t('Amount'),
    balance: t('Balance'),
    kinds: {
      INVOICE: t('Invoice'),
      PAYMENT: t('Payment'),
      TDS: t('Tax deducted (TDS)'),
      CREDIT_NOTE: t('Credit note'),
      RETURNED: t('Payment returned'),
      WRITTEN_OFF: t('Written off'),
      REINSTATED: t('No longer written off'),
    },
    writtenOff: t('Written off, still owed'),
    ageing: t('Due at the end'),
    ages: {
      NOT_DUE: t('Not due yet'),
      TO_30: t('1 to 30 days overdue'),
      TO_60: t('31 to 60 days overdue'),
      TO_90: t('61 to 90 days overdue'),
      OVER_90: t('More than 90 days overdue'),
    },
  }),
  hindi,
);
