import { texts } from '#web/language/texts.ts';

const hindi = async () => (await import('#web/pay/texts.hi.ts')).hindi;

/** Of the page that a pay link leads to: its reader has no account and may know nothing of the portal. */
export const payLinkTexts = texts(
  (t) => ({
    title: t('Payment'),
    loading: t('Loading the payment...'),
    failed: t('The payment could not be loaded'),
    tryAgain: t('Try again'),
    lead: (customer: string, seller: string) =>
      t('{customer} asks you to pay {seller}. You need no account.', { customer, seller }),
    sellerGstin: t('Seller’s GSTIN'),
    api: t('API'),
    plan: t('Plan'),
    packDays: t('for the plan that is running'),
    purchaseOrder: t('Purchase order'),
    taxable: t('Value without GST'),
    total: t('Total to pay'),
    invoice: t('Invoice'),
    dueOn: t('Due on'),
    invoiced: t('Invoice total'),
    email: t('Your e-mail address (optional)'),
    emailHint: t(
      'The invoice or receipt is sent there too, if you keep the checkout open until it says that you have paid. It is used for nothing else.',
    ),
    emailFault: t('Enter an e-mail address, such as accounts@example.com'),
    pay: (amount: string) => t('Pay {amount}', { amount }),
    methods: t('By UPI, card, netbanking or wallet, through Razorpay.'),
    opening: t('Opening checkout...'),
    confirming: t('Confirming...'),
    byTransfer: t('Pay by bank transfer'),
    transferLead: t('Transfer exactly this amount by NEFT, RTGS or IMPS.'),
    transferExact: (customer: string, seller: string) =>
      t(
        'The account number is only for payments of {customer} to {seller}. Any other amount goes back in full. This page says when the transfer has arrived.',
        { customer, seller },
      ),
    notPaid: t('Not paid'),
    attempt: (reason: string) =>
      t('The bank declined: {reason} Nothing was charged; try again or pay another way.', { reason }),
    closed: t(
      'The checkout was closed before a payment. If you approved one in your UPI app, this page shows it in a moment.',
    ),
    noCheckout: t('The checkout could not be opened. Check your connection and try again.'),
    notOrdered: t('No payment can be started right now. Nothing was charged. Try again in a few minutes.'),
    notPayable: t('This can’t be paid right now. Nothing was charged. Ask whoever sent the link.'),
    states: {
      PAID: { title: t('This is paid'), text: t('Nothing more is to be paid by this link.') },
      paidHere: {
        title: t('Thank you, your payment was received'),
        text: (amount: string, customer: string) =>
          t('{amount} was paid for {customer}, who has the papers.', { amount, customer }),
        reference: (id: string) => t('Your reference: {id}', { id }),
        mailed: (email: string) => t('They are also on their way to {email}.', { email }),
      },
      REFUNDED: {
        title: t('Your payment goes back to you'),
        text: t(
          'It could not be used: this was paid otherwise or ended meanwhile. The whole amount is refunded to where it came from, normally within 5 to 7 working days.',
        ),
      },
      CONFIRMING: {
        title: t('A payment is being confirmed'),
        text: t(
          'Somebody has paid or is paying. Don’t pay again: this page says when it is confirmed, mostly within minutes.',
        ),
      },
      DEBITED: {
        title: t('It is being debited'),
        text: (customer: string) =>
          t(
            'The bank of {customer} was asked for a debit for this, which takes up to two days. It takes no second payment meanwhile.',
            { customer },
          ),
      },
      WITHDRAWN: {
        title: t('This link was withdrawn'),
        text: t('It can’t be paid by any more. If you were to pay, ask whoever sent it for the new link.'),
      },
      REPLACED: {
        title: t('There is nothing to pay'),
        text: t(
          'What this link was for has been removed or replaced. If you were to pay, ask whoever sent it for the new link.',
        ),
      },
      CHANGED: {
        title: t('The offer has changed'),
        text: t(
          'What this link was for is no longer sold as it was. Ask whoever sent it to choose again and to send you a new link.',
        ),
      },
      UNAVAILABLE: {
        title: t('This can’t be paid right now'),
        text: t('Nothing was charged. Ask whoever sent the link.'),
      },
      missing: {
        title: t('This link leads nowhere'),
        text: t('It may have been cut off on its way. Open it once more from the message, or ask for it again.'),
      },
    },
    questions: (email: string) => t('Questions? Write to {email}.', { email }),
  }),
  hindi,
);
