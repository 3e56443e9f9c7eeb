import {
  type BaseTable,
  books,
  chain,
  head,
  installation,
  keptAsBooks,
  keptAsNumbers,
  ofActivation,
  ofWork,
  olderThan,
  oneRow,
  own,
  ownBooks,
  papersIn,
  perItem,
  type TableFact,
  within,
} from './fact-builders.ts';

const series = 'numbers of series';
const sums = { keep: 'sums of the books, which are as old' };
const ofMany = 'sums over all customers';
const ofBooks = 'follows from a payment, which the books need whoever paid';
const content = { content: 'DocumentContent of #shared/domain/document.ts' };
const ofPayment = { ofColumn: 'provider_payment_id' };
const ofOrder = { ofColumn: 'provider_order_id' };

/** Those of `tableFacts` that are about money, tax, papers and the ledger. */
export const bookFacts = {
  tax_claims: {
    ...ownBooks('business', {
      leaveOut: ['letter'],
      file: { column: 'letter', key: 'id', nameColumn: 'letter_name', folder: 'letters' },
    }),
    changes: 'kind about declared_on letter_type letter withdrawn_at',
    afterRestore: {
      lookAt: 'claims of SEZs and buyers abroad',
      names: 'customer_id',
      only: 'withdrawn_at is null',
    },
  },
  sez_checks: ownBooks('business'),
  letters_of_undertaking: { age: books, customer: 'the provider’s own', changes: 'from_date last_date' },

  activations: {
    age: perItem,
    customer: own('purchases', keptAsNumbers('id', 'customer_id', 'service_id')),
    changes: 'deleted_at calls_per_second pay_links_ended',
    afterRestore: {
      lookAt: 'activations with calls per second of their own',
      names: `id || ' (' || calls_per_second || ' calls per second)'`,
      only: 'calls_per_second is not null and deleted_at is null',
    },
  },
  cycles: {
    ...ownBooks('purchases'),
    changes: 'status from_date to_date price_paise granted_reason paid_at ended_at',
    json: { plan: 'PlanTerms of #shared/domain/plan.ts' },
    afterRestore: {
      lookAt: 'grants that run or follow',
      names: `id || ' (' || customer_id || ')'`,
      only: `granted_reason is not null and status <> 'DEACTIVATED' and to_date > current_date`,
    },
    takesErased: ofActivation,
  },
  quota_raises: {
    ...ownBooks('purchases'),
    takesErased: 'is an operator’s, of a cycle that gives access',
    afterRestore: {
      lookAt: 'changes of quotas, of plans that run or follow',
      names: `cycle_id || ' (' || to_char(units, 'SG999G999G999G999') || ' units)'`,
      only: 'cycle_id in (select id from cycles where to_date > current_date)',
    },
  },
  payment_orders: {
    ...ownBooks('purchases'),
    changes:
      'provider_order_id status claimed_until checks next_check_at purchase_order purchase_order_date customer_asked_at',
  },
  order_cycles: { ...ownBooks('purchases'), changes: 'live', takesErased: ofActivation },
  payments: {
    ...ownBooks('purchases'),
    changes: 'status method error_description captured_at use fee_paise fee_tax_paise',
    takesErased: ofBooks,
  },
  mandates: {
    ...ownBooks('purchases'),
    changes:
      'state provider_customer_id token_id confirmed_at ended_at ended_by announced_for announced_paise announced_on withheld_for withheld_reason skipped_for recharge_pack_id recharge_monthly_paise recharge_agreed_at token_over_at checks next_check_at',
    afterRestore: {
      lookAt: 'mandates that may be debited',
      names: `id || ' (' || customer_id || ')'`,
      only: `state = 'IN_FORCE'`,
    },
  },
  mandate_debits: {
    ...ownBooks('purchases'),
    changes: 'state payment_id reason sent_at ended_at tries next_try_at',
    afterRestore: { lookAt: 'debits without a result', names: 'order_id', only: `state in ('ASKED', 'SENT')` },
    takesErased: ofActivation,
  },
  credit_terms: {
    ...ownBooks('purchases'),
    changes: 'limit_paise days stop_after_days changed_at',
    afterRestore: {
      lookAt: 'customers who pay later',
      names: `customer_id || ' (up to ' || limit_paise / 100 || ' rupees)'`,
      only: 'limit_paise > 0',
    },
  },
  credit_bills: { ...ownBooks('purchases'), changes: 'due_paise written_off_paise', takesErased: ofActivation },
  recharges: {
    ...ownBooks('purchases'),
    changes: 'mandate_id pack_id units amount_paise state reason told_at ends_at order_id',
    afterRestore: { stays: 'a recharge that was told is asked for under the same receipt, and looked up there first' },
  },
  virtual_accounts: { ...ownBooks('purchases'), changes: 'checks next_check_at tds_tan tds_percent' },
  transfer_orders: {
    ...ownBooks('purchases'),
    changes: 'customer_asked_at',
    afterRestore: { stays: 'a credit pays only what is unpaid, whenever its account number was asked for' },
  },
  bank_transfers: { ...ownBooks('purchases'), takesErased: ofBooks },
  refunds: {
    ...ownBooks('purchases'),
    changes:
      'status provider_refund_id attempt tries next_try_at settled_at covered_paise payout utr transferred_on booked_on refused_at refusal loss_paise',
    afterRestore: {
      lookAt: 'refunds that wait for a bank transfer',
      names: 'id',
      only: `payout = 'TRANSFER' and status = 'STARTED'`,
    },
    takesErased: ofBooks,
  },
  disputes: {
    age: { keep: 'kept as long as the payment it belongs to' },
    customer: own('purchases', keptAsBooks),
    changes:
      'amount_paise phase reason status respond_by ended_at next_check_at held_paise deducted_paise loss_paise submitted_at',
    takesErased: ofBooks,
  },
  tds_claims: {
    ...ownBooks('purchases', {
      leaveOut: ['certificate'],
      file: { column: 'certificate', key: 'id', nameColumn: 'certificate_name', folder: 'tds' },
    }),
    changes: 'status decided_at reason refund_id',
    afterRestore: {
      lookAt: 'TDS claims that wait',
      names: `id || ' (' || customer_id || ')'`,
      only: `status = 'WAITING'`,
    },
  },
  remittance_proofs: {
    age: books,
    customer: within('purchases', keptAsBooks, 'payments', 'payment_id', ofPayment),
    changes: 'kind reference received_on currency amount recorded_at',
  },
  settlement_items: {
    age: books,
    customer: within('purchases', keptAsBooks, 'payments', 'payment_id', ofPayment),
    changes:
      'settlement_id debit_paise credit_paise amount_paise fee_paise tax_paise on_hold settled_at payment_id order_id dispute_id description booked_at returned_at',
  },
  unsettled_payments: {
    age: { keep: 'one row per payment that is not settled; settling deletes it' },
    customer: within('purchases', keptAsBooks, 'payment_orders', 'order_id', ofOrder),
    changes: 'tries fault',
  },
  // Names, addresses and cards as Razorpay tells them; what the books need of it stands in the tables above. What could not be processed stays,
  // for people to look at.
  webhook_inbox: {
    age: olderThan('processed_at', 'keepRazorpayMessagesDays'),
    customer: within(
      'purchases',
      { does: 'delete', only: 'processed_at is not null' },
      'payment_orders',
      "body #>> '{payload,payment,entity,order_id}'",
      ofOrder,
    ),
    changes: 'next_try_at tries processed_at fault',
    json: { body: 'object' },
  },
  settlements: { age: books, customer: 'sums of all customers', changes: 'status utr read_at' },
  settlement_reading: { age: oneRow, customer: installation, changes: 'read_until compared_at differences' },
  // A machine that is gone has no alerts any more.
  doctor_runs: {
    age: olderThan('examined_at', 7),
    customer: installation,
    changes: 'examined_at complaints',
    json: { complaints: `Record<string, 'warning' | 'fault'>` },
  },
  provider_looks: {
    age: { keep: 'one row per list of the provider' },
    customer: installation,
    changes: 'looked_until next_look_at',
  },
  period_locks: {
    age: books,
    customer: 'the provider’s books',
    changes: 'trial_balance',
    json: { trial_balance: 'TrialBalance of #shared/domain/trial-balance.ts' },
    afterRestore: {
      lookAt: 'months that are locked',
      names: 'month',
      only: `action = 'LOCK' and id in (select max(id) from period_locks group by month)`,
    },
  },

  documents: { ...ownBooks('documents'), json: content, takesErased: ofBooks },
  document_files: { age: books, customer: papersIn('documents'), changes: 'pdf place bytes' },
  amendments: {
    age: books,
    customer: within('documents', keptAsBooks, 'documents', 'document_id'),
    json: content,
    takesErased: 'corrects an invoice by the business profile, which an erased customer has none of',
  },
  amendment_files: { age: books, customer: papersIn('documents/amended'), changes: 'pdf place bytes' },
  e_invoices: {
    age: books,
    customer: within('documents', keptAsBooks, 'documents', 'document_id'),
    changes: 'cancelled_at cancel_reason',
  },
  e_invoice_waits: {
    age: { keep: 'one row per document that is not registered; registering deletes it, unless it never will be' },
    customer: within('documents', keptAsBooks, 'documents', 'document_id'),
    changes: 'refused_at refused_code refused_reason alarmed_at closed_at',
  },
  closed_series: { age: books, customer: series },
  document_series: { age: books, customer: series, changes: 'last_number last_issued_at' },
  document_series_forms: { age: oneRow, customer: series },

  ledger_entries: { ...ownBooks('ledger'), setByTrigger: 'position hash', takesErased: ofBooks },
  ledger_lines: { age: books, customer: within('ledger', keptAsBooks, 'ledger_entries', 'entry_id') },
  ledger_head: head,
  ledger_checks: {
    age: oneRow,
    customer: chain,
    changes: 'checked_at position hash faults failure whole_checked_at whole_faults whole_failure',
    json: { faults: 'string[]', whole_faults: 'string[]' },
  },
  summed_days: { age: sums, customer: ofMany, writtenBy: 'owner' },
  sold_sums: { age: sums, customer: ofMany, writtenBy: 'owner' },
  record_seals: { age: books, customer: chain, writtenBy: 'owner', takesErased: ofWork },
  seal_head: head,
} satisfies Partial<Record<BaseTable, TableFact>>;
