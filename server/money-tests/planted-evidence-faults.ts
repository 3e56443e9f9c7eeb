import { fault, ofCycle, planted, type PlantedFault } from './planted-faults.ts';

/** Adds rows as the portal does, then changes them with triggers off. */
const after = (added: string, change: string) => () => [
  'set local session_replication_role = origin',
  added
    .replaceAll('$customer', planted.customer)
    .replaceAll('$payment', planted.payment)
    .replaceAll('$cycle', planted.paid),
  'set local session_replication_role = replica',
  change,
];
/** Sums the days so far, which are not over yet, and changes the sums. */
const summed = (change: string) => () => ['select sum_days((select max(issued_on) + 2 from documents))', change];
const refund = (set: string) => () => [
  `update refunds set ${set} where origin = 'PORTAL' and ${ofCycle(planted.cancelled)}`,
];
const letter = "'\\x255044462d00'::bytea";
const other = "'\\x255044462d01'::bytea";
const declared = `insert into tax_claims (id, customer_id, kind, about, declared_on, declared_at, letter_name, letter_type, letter_bytes, letter, letter_sha256)
  values ('CLM-X', '$customer', 'EXPORT', 'SG', '2026-11-02', '2026-11-02T12:00:00+05:30', 'letter.pdf', 'application/pdf', 6, ${letter}, sha256(${letter}))`;
const checked = `insert into sez_checks (customer_id, gstin, checked_at, outcome, type_text, answer, answer_sha256)
  values ('$customer', '29ZZZCA0001A1Z0', now(), 'OTHER', 'Regular', 'Regular', sha256('Regular'))`;
const isUnit = `outcome = 'UNIT', answer = 'SEZ Unit 29ZZZCA0001A1Z0', answer_sha256 = sha256('SEZ Unit 29ZZZCA0001A1Z0')`;
const disputed = `insert into disputes (provider_dispute_id, payment_id, cycle_id, customer_id, amount_paise, phase, reason, status, created_at,
    next_check_at) values ('disp_X', '$payment', '$cycle', '$customer', 10000, 'chargeback', 'goods_not_received', 'open', now(), now())`;

/** Changes of refunds, disputes and what decides the tax of a sale; both checks notice them. */
export const plantedEvidenceFaults: readonly PlantedFault[] = [
  fault(
    'a refund names another one of Razorpay',
    refund(`provider_refund_id = 'rfnd_X'`),
    /refund \S+ has been changed/,
  ),
  fault(
    'a refund was paid a month earlier',
    refund(`created_at = created_at - interval '30 days', settled_at = settled_at - interval '30 days'`),
    /refund \S+ has been changed/,
  ),
  fault('a refund has another reason', refund(`reason = 'None'`), /refund \S+ has been changed/),
  fault(
    'a dispute is over half',
    after(disputed, 'update disputes set amount_paise = 5000'),
    /dispute disp_X has been/,
  ),
  fault(
    'a dispute began earlier',
    after(disputed, `update disputes set created_at = created_at - interval '30 days'`),
    /dispute disp_X has been changed/,
  ),
  fault(
    'the letter of a declaration was replaced, with its hash',
    after(declared, `update tax_claims set letter = ${other}, letter_sha256 = sha256(${other})`),
    /declaration CLM-X has been changed/,
  ),
  fault(
    'a declaration is older',
    after(
      declared,
      `update tax_claims set declared_on = declared_on - 90, declared_at = declared_at - interval '90 days'`,
    ),
    /declaration CLM-X has been changed/,
  ),
  fault('a declaration is deleted', after(declared, 'delete from tax_claims'), /declaration CLM-X is missing/),
  fault('the GST portal said SEZ', after(checked, `update sez_checks set ${isUnit}`), /SEZ check \d+ has been changed/),
];

const lut = `insert into letters_of_undertaking values ('AD270426000001X', '2026-04-01', '2026-09-30')`;
const settled = `insert into settlements values ('setl_X', 100, 'processed', 'UTR1', now(), now())`;
const locked = `insert into period_locks (month, action, reason, operator) values ('2020-01', 'LOCK', 'Returns are filed', 'asha')`;
const lastAction = `delete from operator_actions where position = (select max(position) from operator_actions)`;

/** Changes of the provider’s own records, which the whole check notices. */
export const plantedProviderFaults: readonly PlantedFault[] = [
  fault(
    'a letter of undertaking covers more days',
    after(lut, `update letters_of_undertaking set last_date = '2027-03-31'`),
    /letter of undertaking AD270426000001X has been changed/,
  ),
  fault(
    'a letter of undertaking was added',
    () => [`insert into letters_of_undertaking values ('AD-X', '2026-04-01', '2027-03-31')`],
    /letter of undertaking AD-X was added without a seal/,
  ),
  fault(
    'the proof of an export was added',
    () => [
      `insert into remittance_proofs values ('${planted.payment}', 'FIRC', 'X', '2026-11-01', 'USD', '10', now())`,
    ],
    /the remittance proof of payment \S+ was added without a seal/,
  ),
  fault(
    'a settlement has another UTR',
    after(settled, `update settlements set utr = 'UTR2'`),
    /settlement setl_X has been changed/,
  ),
  fault('a settlement is deleted', after(settled, 'delete from settlements'), /settlement setl_X is missing/),
  fault('a locked month is open again', after(locked, 'delete from period_locks'), /record of a lock \d+ is missing/),
  fault(
    'the trial balance of a locked month is another one',
    after(locked, `update period_locks set trial_balance = '{}'`),
    /record of a lock \d+ has been changed/,
  ),
  fault(
    'the newest action of an operator is deleted, and the head is set back',
    () => [
      lastAction,
      `update operator_head h set position = a.position, hash = a.hash from operator_actions a
        where a.position = (select max(position) from operator_actions)`,
    ],
    /action of an operator \d+ is missing/,
  ),
  fault(
    'the sums of a past day have an invoice more',
    summed(`update sold_sums set sold = sold + 1 where sold_as = 'INVOICE'`),
    /the sums of \S+ have \d+ of INVOICE \S+ from \S+ to \S+ over \d+ paise, and there are \d+/,
  ),
  fault(
    'the sums of a past day have a plan less',
    summed(`delete from sold_sums where sold_as = 'PLAN'`),
    /the sums of \S+ have 0 of PLAN \S+ from/,
  ),
  fault(
    'more cash came in on a past day than the ledger says',
    summed(`update summed_days set cash_paise = cash_paise + 1`),
    /the sums of \S+ have \d+ paise that came in, and the ledger has \d+/,
  ),
];
