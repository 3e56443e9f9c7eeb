import { createHash } from 'node:crypto';
import { type OperatorInput, operatorCalls, type ReadName } from '#shared/contract/operator/calls.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { readRequestId } from '#shared/domain/request-id.ts';
import { waitingKinds } from '#shared/contract/operator/waiting.ts';
import { soughtCustomer, soughtKey } from './work.ts';

/** A call of the console that is measured; `found`: the reply must have this in it. */
export interface ConsoleCall {
  name: string;
  call: ReadName;
  input: object;
  found?: string;
}

const today = dayOf(Date.now());

/** The id of a call that the sample customer's log has, as `seedContacts` writes it. */
function loggedRequest(customer: number, day: string): string {
  const bytes = Buffer.alloc(15);
  createHash('sha256').update(`${customer}-${day}`).digest().copy(bytes, 0, 0, 13);
  bytes.writeUInt16BE(7, 13);
  return readRequestId(bytes, 0);
}

const find = (name: string, text: string, found?: string): ConsoleCall => ({
  name: `find by ${name}`,
  call: 'findCustomers',
  input: { text },
  ...(found !== undefined && { found }),
});

/** Every kind of search, for the customer in the middle, and two texts that many have. */
export function searches(customers: number, documentNumber: string): ConsoleCall[] {
  const n = soughtCustomer(customers);
  const digits = String(9_000_000_000 + n);
  const texts: Record<string, string> = {
    'an e-mail address': `p${n}@example.com`,
    'a part of a name': 'Zutshi',
    'a legal name': `Kaveri Traders ${n}`,
    'a phone number': `+91 ${digits.slice(0, 5)}-${digits.slice(5)}`,
    'a document number': `Invoice ${documentNumber}`,
    'a UTR': `HDFC${String(n).padStart(12, '0')}`,
    'a payment': `pay_${n}_5`,
    'an order': `ORD-${n}-5`,
    'an order of Razorpay': `order_${n}_5`,
    'a refund': `RFD-${n}`,
    'an activation': `ACT-${n}`,
    'a plan': `CYC-${n}-5`,
    'a thread': `SUP-${n}`,
    'a webhook': `WHK-${n}`,
    'the beginning of a key': soughtKey.slice(0, 14),
    'a pasted key': soughtKey,
    'a request of today': loggedRequest(n, today),
    'a request of last week': loggedRequest(n, addDays(today, -7)),
  };
  return [
    ...Object.entries(texts).map(([name, text]) => find(name, text, `"CUS-${n}"`)),
    find('a GSTIN', gstinOf(n - (n % 3)), `"CUS-${n - (n % 3)}"`),
    find('a name that all have', 'Kaveri', '"CUS-'),
    find('a domain that all have', '@example.com', '"CUS-'),
    find('a text that nobody has', 'Wolkenkuckucksheim'),
  ];
}

const letter = (at: number): string => String.fromCodePoint(65 + (at % 26));
/** As the sample has it. */
const gstinOf = (n: number): string =>
  `29AA${letter(Math.floor(n / 676))}${letter(Math.floor(n / 26))}${letter(n)}${String(n % 10_000).padStart(4, '0')}F1Z5`;

const named = <Name extends ReadName>(call: Name, name: string, input: OperatorInput<Name>): ConsoleCall => ({
  name,
  call,
  input,
});

/** Every list of the console, and the page of a customer. */
export function lists(customers: number): ConsoleCall[] {
  const n = soughtCustomer(customers);
  const customerId = `CUS-${n}`;
  return [
    named('readCustomer', 'a customer', { customerId }),
    named('listPayments', 'payments of a customer', { customerId }),
    named('listPayments', 'payments', {}),
    named('listPayments', 'payments that failed', { status: 'failed' }),
    named('listRefunds', 'refunds of a customer', { customerId }),
    named('listCycles', 'plans of a customer', { customerId }),
    named('listDocuments', 'documents of a customer', { customerId }),
    named('listMails', 'mails of a customer', { customerId }),
    named('listWebhooks', 'webhooks of a customer', { customerId }),
    named('listNotes', 'notes of a customer', { customerId }),
    named('readMembers', 'members of a customer', { customerId }),
    named('listKeysOfCustomer', 'keys of a customer', { customerId }),
    named('readPayment', 'a payment', { of: `pay_${n}_5` }),
    named('readRequests', 'the request log of an activation', { activationId: `ACT-${n}` }),
    named('listThreads', 'threads', {}),
    named('listThreads', 'threads that are open', { status: 'OPEN' }),
    named('listThreads', 'threads that are answered', { status: 'ANSWERED' }),
    named('listThreads', 'threads that are closed', { status: 'CLOSED' }),
    named('listThreads', 'threads of nobody', { status: 'OPEN', assignedTo: null }),
    named('listThreads', 'threads of an operator', { assignedTo: 'asha@bench.example' }),
    named('readThread', 'a thread', { threadId: `SUP-${n}` }),
    named('listUnpaidRefunds', 'refunds to be paid', {}),
    named('listTaxClaims', 'tax claims', {}),
    named('listTdsClaims', 'TDS claims', {}),
    named('listUnregistered', 'e-invoices', {}),
    named('listRemittances', 'payments from abroad', { all: true }),
    named('listErasureRequests', 'requests of erasure', {}),
    named('listActions', 'the audit log', {}),
    named('listActions', 'the audit log of a customer', { customerId }),
    named('listApprovals', 'approvals', {}),
    named('listEndpoints', 'webhooks of the provider', {}),
    named('listOperators', 'operators', {}),
    named('listWaiting', 'what waits', {}),
    ...waitingKinds.map((kind) => named('listWaiting', `what waits: ${kind}`, { kind })),
    named('readFigures', 'figures of 30 days', { from: addDays(today, -29), to: today }),
  ];
}

/** Throws, before minutes are spent on filling databases, when a call does not take its input. */
export function requireInputs(calls: readonly ConsoleCall[]): void {
  const faults = calls.flatMap(({ name, call, input }) => {
    const { error } = operatorCalls[call].input.safeParse(input);
    return error ? [`${name}: ${error.message}`] : [];
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
}
