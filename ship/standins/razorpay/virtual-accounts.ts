import { randomInt } from 'node:crypto';
import { readCustomerId } from '#ship/standins/razorpay/customers.ts';
import type { BankTransfer, VirtualAccount } from '#ship/standins/razorpay/entities.ts';
import { badRequest, unknownId } from '#ship/standins/razorpay/errors.ts';
import { randomId } from '#ship/standins/razorpay/ids.ts';
import { isFields, readAmount, readFields, readNotes, readNumber } from '#ship/standins/razorpay/input.ts';
import type { PaymentRecord } from '#ship/standins/razorpay/ledger.ts';
import { savePayment } from '#ship/standins/razorpay/lookup.ts';
import type { RazorpayParts } from '#ship/standins/razorpay/parts.ts';
import { chargeOf, newPayment } from '#ship/standins/razorpay/payments.ts';

type AllowedPayer = NonNullable<VirtualAccount['allowed_payers']>[number];

const earliestCloseSeconds = 900;
const lastSecond = 2_147_483_647;
const mostPayers = 10;

export function findVirtualAccount(parts: RazorpayParts, id: string): VirtualAccount {
  const account = parts.ledger.state.virtualAccounts.get(id);
  if (!account) throw unknownId();
  return account;
}

/** The transfer of a payment; others have none. */
export function findTransfer(parts: RazorpayParts, paymentId: string): BankTransfer {
  const record = parts.ledger.state.transfers.get(paymentId);
  if (!record) throw unknownId();
  return record.transfer;
}

export function transfersTo(parts: RazorpayParts, accountId: string): PaymentRecord[] {
  const { payments, transfers } = parts.ledger.state;
  return [...payments.values()].filter(
    ({ payment }) => transfers.get(payment.id)?.transfer.virtual_account_id === accountId,
  );
}

function save(parts: RazorpayParts, account: VirtualAccount): VirtualAccount {
  parts.ledger.save({ kind: 'virtual-account', value: account });
  return account;
}

export function readPayer(value: unknown): AllowedPayer {
  const { type, bank_account: bankAccount } = readFields(value, ['type', 'bank_account']);
  if (type !== 'bank_account') throw badRequest('The selected allowed_payers.type is invalid.', 'allowed_payers');
  const { ifsc, account_number: number } = readFields(bankAccount, ['ifsc', 'account_number']);
  if (typeof ifsc !== 'string' || !/^[A-Z]{4}0[A-Z0-9]{6}$/.test(ifsc))
    throw badRequest('The ifsc is invalid.', 'ifsc');
  if (typeof number !== 'string' || !/^[A-Za-z0-9]{5,35}$/.test(number))
    throw badRequest('The account number is invalid.', 'account_number');
  return { id: `ba_${randomId()}`, type, bank_account: { ifsc, account_number: number } };
}

function readPayers(value: unknown): AllowedPayer[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0 || value.length > mostPayers)
    throw badRequest(`There must be 1 to ${mostPayers} allowed payers.`, 'allowed_payers');
  return value.map(readPayer);
}

const known = [
  'name',
  'description',
  'amount_expected',
  'customer_id',
  'receivers',
  'close_by',
  'notes',
  'allowed_payers',
];

/** `POST /v1/virtual_accounts`: an account number of its own, to which transfers are told apart. */
export function createVirtualAccount(parts: RazorpayParts, body: unknown): VirtualAccount {
  if (!parts.ledger.state.behaviour.smartCollect) throw badRequest('Smart Collect is not enabled on your account');
  const fields = readFields(body, known);
  const receivers = isFields(fields['receivers']) ? fields['receivers']['types'] : undefined;
  if (!Array.isArray(receivers) || receivers.length === 0)
    throw badRequest('The receivers.types field is required.', 'receivers');
  if (receivers.some((type) => type !== 'bank_account'))
    throw badRequest('The selected receivers.types is invalid.', 'receivers');
  const customerId = readCustomerId(parts, fields['customer_id']);
  const description = fields['description'] ?? null;
  if (description !== null && (typeof description !== 'string' || description.length > 2048))
    throw badRequest('The description may not be greater than 2048 characters.', 'description');
  const now = Math.floor(parts.now() / 1000);
  const name = typeof fields['name'] === 'string' ? fields['name'] : 'Octroi';
  const closeBy = fields['close_by'];
  const allowed_payers = readPayers(fields['allowed_payers']);
  const account = save(parts, {
    id: `va_${randomId()}`,
    name,
    entity: 'virtual_account',
    status: 'active',
    description,
    amount_expected: fields['amount_expected'] === undefined ? null : readAmount(fields['amount_expected']),
    notes: readNotes(fields['notes']),
    amount_paid: 0,
    customer_id: customerId,
    close_by: closeBy === undefined ? null : readNumber(closeBy, 'close_by', now + earliestCloseSeconds, lastSecond),
    closed_at: null,
    created_at: now,
    receivers: [
      {
        id: `ba_${randomId()}`,
        entity: 'bank_account',
        ifsc: 'RATN0VAAPIS',
        bank_name: 'RBL Bank',
        name,
        notes: [],
        account_number: `222333${String(randomInt(1e10)).padStart(10, '0')}`,
      },
    ],
    ...(allowed_payers && { allowed_payers }),
  });
  parts.webhooks.emit({ event: 'virtual_account.created', account });
  return account;
}

export function changePayers(
  parts: RazorpayParts,
  id: string,
  change: (payers: AllowedPayer[]) => AllowedPayer[],
): VirtualAccount {
  const account = findVirtualAccount(parts, id);
  if (account.status === 'closed') throw badRequest('The virtual account is closed.');
  return save(parts, { ...account, allowed_payers: change(account.allowed_payers ?? []) });
}

export function closeVirtualAccount(parts: RazorpayParts, id: string): VirtualAccount {
  const known = findVirtualAccount(parts, id);
  if (known.status === 'closed') throw badRequest('The virtual account is closed already.');
  const account = save(parts, { ...known, status: 'closed', closed_at: Math.floor(parts.now() / 1000) });
  parts.webhooks.emit({ event: 'virtual_account.closed', account });
  return account;
}

/** Closes every account whose `close_by` has come. */
export function runDueVirtualAccounts(parts: RazorpayParts): void {
  for (const { id, status, close_by: closeBy } of parts.ledger.state.virtualAccounts.values())
    if (status === 'active' && closeBy !== null && closeBy * 1000 <= parts.now()) closeVirtualAccount(parts, id);
}

export type Credit = {
  amount: number;
  mode: BankTransfer['mode'];
  utr: string;
  /** Null where the payer's bank does not say it, as most UPI apps and some IMPS banks. */
  payer: { name: string; ifsc: string; account_number: string; bank_name: string } | null;
  isNonResident: boolean;
};

/** Money arrives. A closed account and a payer who is not allowed are refused by the bank: there is no payment then. */
export function creditVirtualAccount(parts: RazorpayParts, id: string, credit: Credit): PaymentRecord {
  const account = findVirtualAccount(parts, id);
  if (account.status === 'closed') throw badRequest('The virtual account is closed: the bank returns the transfer.');
  const { payer } = credit;
  const isAllowed = (account.allowed_payers ?? []).some(
    ({ bank_account: own }) => own.ifsc === payer?.ifsc && own.account_number === payer.account_number,
  );
  if (account.allowed_payers && !isAllowed)
    throw badRequest('The payer is not allowed: the bank returns the transfer.');
  const record = savePayment(parts, {
    payment: transferPayment(parts, account, credit),
    card: null,
    awaiting: null,
    approvedLate: false,
    steps: [],
    debit: null,
    request: null,
  });
  const transfer: BankTransfer = {
    id: `bt_${randomId()}`,
    entity: 'bank_transfer',
    payment_id: record.payment.id,
    mode: credit.mode,
    bank_reference: credit.utr,
    amount: credit.amount,
    payer_bank_account: payer && { id: `ba_${randomId()}`, entity: 'bank_account', ...payer, notes: [] },
    virtual_account_id: id,
  };
  parts.ledger.save({ kind: 'transfer', value: { transfer, isNonResident: credit.isNonResident } });
  const credited = save(parts, { ...account, amount_paid: account.amount_paid + credit.amount });
  const authorized = { ...record.payment, status: 'authorized' as const, captured: false, fee: null, tax: null };
  parts.webhooks.emit({ event: 'payment.authorized', payment: { ...record, payment: authorized } });
  parts.webhooks.emit({ event: 'payment.captured', payment: record });
  parts.webhooks.emit({ event: 'virtual_account.credited', payment: record, account: credited, transfer });
  return record;
}

/** A transfer is captured as it arrives, and has no order. */
function transferPayment(
  parts: RazorpayParts,
  { customer_id: customerId, notes }: VirtualAccount,
  { amount }: Credit,
): PaymentRecord['payment'] {
  const customer = parts.ledger.state.customers.get(customerId ?? '');
  return {
    ...newPayment(parts),
    amount,
    currency: 'INR',
    status: 'captured',
    order_id: null,
    international: false,
    method: 'bank_transfer',
    captured: true,
    description: null,
    card_id: null,
    bank: null,
    vpa: null,
    email: customer?.email ?? 'void@razorpay.com',
    contact: customer?.contact ?? '+919999999999',
    ...(customerId !== null && { customer_id: customerId }),
    notes,
    ...chargeOf(amount),
  };
}
