import { copy, planted, type PlantedFault } from './planted-faults.ts';

/** Each change alone violates no other rule, or almost none: the record's seal reveals it. */
const fault = (what: string, plant: () => string[], says: RegExp = /has been changed/): PlantedFault => ({
  what,
  plant,
  says,
});
const invoice = (): string => `cycle_id = '${planted.paid}' and kind = 'INVOICE'`;
const setContent = (path: string, value: string) => () => [
  `update documents set content = jsonb_set(content, '{${path}}', '${value}') where ${invoice()}`,
];
const setCycle = (set: string, cycle: () => string) => () => [`update cycles set ${set} where id = '${cycle()}'`];
const setPayment = (set: string) => () => [
  `update payments set ${set} where provider_payment_id = '${planted.payment}'`,
];
const splitOf = (taxable: string, cgst: string, sgst: string, igst: string) =>
  `update documents set taxable_paise = ${taxable}, cgst_paise = ${cgst}, sgst_paise = ${sgst}, igst_paise = ${igst}, content = jsonb_set(content, '{split}',
    content -> 'split' || jsonb_build_object('taxablePaise', ${taxable}, 'cgstPaise', ${cgst}, 'sgstPaise', ${sgst}, 'igstPaise', ${igst}))`;
/** Registers an invoice as the portal does, then changes the registration with triggers off. */
const registered = (change: string) => () => [
  'set local session_replication_role = origin',
  `insert into e_invoices (document_id, irn, ack_number, ack_at, signed_qr, signed_invoice)
    select id, repeat('a', 64), '1', now(), 'qr', 'invoice' from documents where ${invoice()}`,
  'set local session_replication_role = replica',
  `update e_invoices set ${change}`,
];
const file = `document_id in (select id from documents where kind = 'INVOICE')`;

/** Changes of documents, PDFs, registrations, sold plans and payments that other rules may miss. */
export const plantedSealFaults: readonly PlantedFault[] = [
  fault("a document's buyer has another GSTIN", setContent('recipient,gstin', '"29ZZZCA0001A1Z0"')),
  fault("a document's buyer has another name", setContent('recipient,name', '"Somebody Else"')),
  fault("a document's place of supply is another State", setContent('placeOfSupply', '"33"')),
  fault('a document is for another service', setContent('item,sac', '"998313"')),
  fault('integrated tax has become central and State tax', () => [
    `${splitOf('taxable_paise', 'igst_paise / 2', 'igst_paise - igst_paise / 2', '0')} where ${invoice()}`,
  ]),
  fault('₹100 went from tax to taxable value', () => [
    `${splitOf('taxable_paise + 10000', 'cgst_paise', 'sgst_paise', 'igst_paise - 10000')} where ${invoice()}`,
  ]),
  fault('a document is a month older', () => [
    `update documents set issued_at = issued_at - interval '30 days', issued_on = issued_on - 30 where ${invoice()}`,
  ]),
  fault('a credit note is halved', () => [
    `update documents set total_paise = total_paise / 2, taxable_paise = total_paise / 2 - cgst_paise / 2 - sgst_paise / 2 - igst_paise / 2,
      cgst_paise = cgst_paise / 2, sgst_paise = sgst_paise / 2, igst_paise = igst_paise / 2, round_off_paise = 0 where kind = 'CREDIT_NOTE'`,
  ]),
  fault('a number has another prefix', () => [
    `update documents set number = 'XYZ' || substr(number, strpos(number, '/')) where ${invoice()}`,
  ]),
  fault('a document no longer needs its registration', () => [
    `update documents set needs_irn = not needs_irn where ${invoice()}`,
  ]),
  fault('a PDF is deleted', () => [`delete from document_files where ${file}`], /PDF of document \S+ is missing/),
  fault('a PDF was replaced, with its hash', () => [
    `update document_files set pdf = 'other', pdf_sha256 = sha256('other') where ${file}`,
  ]),
  fault('a PDF was made at another time', () => [
    `update document_files set made_at = made_at - interval '1 day' where ${file}`,
  ]),
  fault('a registration has another IRN', registered(`irn = repeat('b', 64)`)),
  fault('a registration has another QR code', registered(`signed_qr = 'other'`)),
  fault('a registration is marked as cancelled', registered(`cancelled_at = now(), cancel_reason = 'other'`)),
  fault(
    'a plan lasts 30 days longer',
    setCycle('to_date = to_date + 30', () => planted.upcoming),
  ),
  fault(
    'a plan starts five days earlier',
    setCycle('from_date = from_date - 5', () => planted.givenBack),
  ),
  fault(
    'a quota is a hundred times as large',
    setCycle('daily_quota = daily_quota * 100', () => planted.paid),
  ),
  fault(
    'a plan allows ten times as many calls per second',
    setCycle('rps = rps * 10', () => planted.paid),
  ),
  fault(
    'a plan was sold under another name',
    setCycle(`plan = plan || '{"name":"Scale"}'`, () => planted.paid),
  ),
  fault(
    'a plan that has ended is running again',
    setCycle('ended_at = null', () => planted.givenBack),
  ),
  fault('a payment was captured a month before', setPayment(`captured_at = captured_at - interval '30 days'`)),
  fault('a payment was made by other means', setPayment(`method = 'upi'`)),
  fault(
    'a plan was added that nobody bought',
    () => [
      copy('cycles', `id = '${planted.pending}'`, { id: 'CYC-X', from_date: '2031-01-01', to_date: '2031-02-01' }),
    ],
    /cycle CYC-X was added without a seal/,
  ),
];

/** Changes by an intruder who knows about the seals. */
export const plantedChainFaults: readonly PlantedFault[] = [
  fault(
    'a tax was split wrongly from the beginning',
    () => [`${splitOf('taxable_paise + 10000', 'cgst_paise', 'sgst_paise', 'igst_paise - 10000')} where ${invoice()}`],
    /document \S+ has other amounts/,
  ),
  fault(
    'a quota and its seal are changed together',
    () => [
      `update cycles set daily_quota = daily_quota * 100 where id = '${planted.paid}'`,
      `update record_seals s set content = seal_of_cycles(c) from cycles c where c.id = '${planted.paid}' and s.kind = 'cycles'
        and s.id = (select max(id) from record_seals where kind = 'cycles' and record_id = c.id)`,
    ],
    /seal \d+ has been changed/,
  ),
  fault(
    'the newest seal is deleted, and the head is set back',
    () => [
      `delete from record_seals where position = (select max(position) from record_seals)`,
      `update seal_head h set position = s.position, hash = s.hash from record_seals s
        where s.position = (select max(position) from record_seals)`,
    ],
    /has been changed|was added without a seal/,
  ),
  fault(
    'the head of the seals is ahead',
    () => ['update seal_head set position = position + 1'],
    /the chain of seals ends at \d+, its head is at \d+/,
  ),
];
