import { copy, fault, planted, type PlantedFault } from './planted-faults.ts';

const claim = (set: string) => () => [`update tds_claims set ${set} where id = '${planted.tdsClaim}'`];
const other = "'\\x255044462d00'::bytea";
const dueEntry = () => `entry_id = (select 'due:' || refund_id from tds_claims where id = '${planted.tdsClaim}')`;
const changed = /TDS claim \S+ has been changed/;

/** Changes of claims about tax deducted at source, of their refunds and of their account. */
export const plantedTdsFaults: readonly PlantedFault[] = [
  fault('a TDS claim is over another amount', claim('amount_paise = amount_paise - 1'), /and refund \S+ differ/),
  fault('a TDS claim is about another quarter', claim(`quarter = '2020-21 Q1', section = '194J'`), changed),
  fault('a TDS claim names another TAN', claim(`tan = 'ABCD12345E'`), changed),
  fault('a TDS claim was accepted a month later', claim(`decided_at = decided_at + interval '30 days'`), changed),
  fault(
    'a TDS claim is about a quarter that was over before its payment',
    claim(`quarter = '2020-21 Q1', section = '194J'`),
    /which is not between the day of its money and its declaration/,
  ),
  fault(
    'a TDS claim was accepted without a word in the audit log',
    () => [`update operator_actions set action = 'tds.list' where target = '${planted.tdsClaim}'`],
    /TDS claim \S+ is ACCEPTED, which is not in the audit log/,
  ),
  fault(
    'a TDS claim was accepted for another refund than in the audit log',
    () => [
      `update operator_actions set effect = effect || '{"refundId": "RFD-X"}' where target = '${planted.tdsClaim}'`,
    ],
    /TDS claim \S+ is ACCEPTED, which is not in the audit log/,
  ),
  fault(
    'a TDS claim was refused by nobody',
    claim(`status = 'REFUSED', reason = 'None', refund_id = null`),
    /TDS claim \S+ is REFUSED, which is not in the audit log/,
  ),
  fault(
    'an accepted TDS claim waits again',
    claim(`status = 'WAITING', decided_at = null, refund_id = null`),
    /is for no accepted TDS claim/,
  ),
  fault(
    'an accepted TDS claim names another refund',
    claim(`refund_id = (select min(id) from refunds where origin <> 'TDS')`),
    /\(ACCEPTED\) and refund \S+ differ/,
  ),
  fault(
    'a TDS claim is deleted',
    () => [`delete from tds_claims where id = '${planted.tdsClaim}'`],
    /TDS claim \S+ is missing/,
  ),
  fault(
    'a TDS claim was added behind the portal',
    () => [
      copy('tds_claims', `id = '${planted.tdsClaim}'`, {
        id: 'TDS-X',
        status: 'REFUSED',
        refund_id: null,
        reason: 'none',
      }),
    ],
    /TDS claim TDS-X was added without a seal/,
  ),
  fault(
    'the certificate of a TDS claim is another file',
    () => [
      'alter table tds_claims drop constraint tds_claims_certificate_hash',
      ...claim(`certificate = ${other}, certificate_bytes = 6`)(),
    ],
    /the certificate of TDS claim \S+ has changed/,
  ),
  fault(
    'the certificate of a TDS claim was replaced, with its hash',
    claim(`certificate = ${other}, certificate_bytes = 6, certificate_sha256 = sha256(${other})`),
    changed,
  ),
  fault(
    'a TDS claim moved to an invoice of another subscription',
    () => claim(`invoice_id = (select id from documents where cycle_id = '${planted.paid}' and kind = 'INVOICE')`)(),
    /is not about/,
  ),
  fault(
    'a refund of a customer’s TDS returns the price',
    () => [
      `update refunds set origin = 'PROVIDER', foreign_id = 'rfnd_X' where id = (select refund_id from tds_claims where id = '${planted.tdsClaim}')`,
    ],
    /has no document over its amount/,
  ),
  fault(
    'TDS is booked as a return of the price',
    () => [`update ledger_lines set account = 'cycles' where account = 'tds' and ${dueEntry()}`],
    /does not match its entries/,
  ),
];
