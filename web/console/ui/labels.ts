/** Fields of the contract whose names alone would not say it. */
const labels = new Map(
  Object.entries({
    id: 'ID',
    isSame: 'Nothing differs',
    unreadable: 'Why only prices are compared',
    affects: 'Who notices',
    everywhere: 'Every gateway has confirmed it',
    cycles: 'Plans',
    cycleId: 'Plan',
    planName: 'Name of the plan',
    paymentId: 'Payment',
    unsettled: 'Captured but not settled here',
    webhooks: 'Webhooks of Razorpay',
    endpointId: 'Webhook',
    url: 'Address',
    disabledReason: 'Off because',
    oldSecretUntil: 'The secret before signs until',
    fault: 'Why it failed',
    use: 'Taken for',
    gstin: 'GSTIN',
    utr: 'UTR',
    irn: 'IRN',
    pin: 'PIN code',
    tan: 'TAN',
    rps: 'Calls per second',
    toDate: 'Day after the last',
    fromDate: 'First day',
    granted: 'Granted because',
    raised: 'Added by operators',
    raisedBefore: 'Added by operators before',
    daily: 'Quota of each day',
    dailyBefore: 'Quota of each day before',
    monthly: 'Quota of the plan',
    monthlyBefore: 'Quota of the plan before',
    taken: 'Used or lent to gateways',
    already: 'Done before',
    left: 'Left of its price',
    lost: 'Lost to the customer',
    paper: 'Document',
    payout: 'Paid by',
    amended: 'Keeps its number',
    open: 'In the way',
    kept: 'Kept for the law',
    on: 'Day',
    of: 'Payment',
    hint: 'Last four characters',
    exempt: 'Without tax',
    replaces: 'Ends the plan',
    about: 'Thread',
    to: 'To',
    copyId: 'Sent as the mail',
  }),
);

/** The name of a field for people: `keysInUse` → "Keys in use". */
export function labelOf(field: string): string {
  const words = field
    .replace(/Id$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase();
  return labels.get(field) ?? capital(words);
}

const words = new Map(
  Object.entries({
    PROVIDER: 'Razorpay',
    TRANSFER: 'Bank transfer',
    OPEN: 'Waits for us',
    ANSWERED: 'Waits for the customer',
    UNSETTLED_PAYMENT: 'Unsettled payment',
    TDS_CLAIM: 'TDS claim',
    E_INVOICE: 'E-invoice without IRN',
    DISPUTE: 'Dispute',
    ERASURE_REQUEST: 'Asks to be erased',
    REMITTANCE: 'Proof from the bank missing',
    SETTLEMENTS: 'Settlements differ',
    ENDPOINT: 'Webhook of ours fails',
    OWNER: 'Switched off',
    FAILING: 'It kept failing',
    GONE: 'It is gone',
    SUPPORT_THREAD: 'Support',
    REFUND_REFUSED: 'Refund refused',
    REFUND_LATE: 'Refund late',
    APPROVAL: 'Second person asked for',
    LEDGER_FAULT: 'Ledger',
    UNPRINTED_DOCUMENT: 'Document without PDF',
    FAILED_WORK: 'Timed work fails',
    LEFT_JOURNAL: 'Journal of a gateway that is gone',
    SHORT_NUMBERS: 'Document numbers run out',
    FAILED_MAIL: 'Mail not sent',
    FAILED_WEBHOOK: 'Webhook fails',
    FAILED_PAYMENT: 'Payment failed',
    UNPAID_PLAN: 'Plan not paid',
    ENDING_PLAN: 'Plan ends',
    REFUND_TO_TRANSFER: 'Refund to transfer',
    SEZ: 'SEZ',
    UNIT: 'SEZ unit',
    DEVELOPER: 'SEZ developer',
    UNKNOWN: 'No such registration',
    FIRC: 'FIRC',
    FIRA: 'FIRA',
    BRC: 'BRC',
  }),
);

/** One of the values of a choice in the contract, in words: `CREDIT_NOTE` → "Credit note". */
export const wordOf = (value: string): string =>
  words.get(value) ?? (/^[A-Z_]+$/.test(value) ? capital(value.toLowerCase().replaceAll('_', ' ')) : value);

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
