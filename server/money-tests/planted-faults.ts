type QuotaKind = 'day' | 'cycle' | 'free-day' | 'free-window';

/** The ids of the rows to manipulate; filled by the test. */
export const planted = {
  customer: '',
  other: '',
  activation: '',
  /** Cycles: paid and running, prepaid, cancelled and refunded, removed and paid too late, and unpaid with an open order. */
  paid: '',
  upcoming: '',
  cancelled: '',
  removed: '',
  pending: '',
  /** A paid pack of the running cycle. */
  pack: '',
  trial: '',
  /** Another customer's cycle: deactivated, with its unused days refunded. */
  givenBack: '',
  payment: '',
  latePayment: '',
  /** A business’s cycle with an accepted claim about TDS, and the claim. */
  deducted: '',
  tdsClaim: '',
  /** Bank transfers less TDS: one that is held, and one of which an operator said that it pays; and one to the own account. */
  heldPayment: '',
  answeredPayment: '',
  recordedPayment: '',
  /** A cycle of which an operator refunded a part and raised the quota, and one that an operator granted. */
  refundedInPart: '',
  granted: '',
};

export interface PlantedFault {
  what: string;
  /** Statements that plant the fault, with all triggers and foreign keys off. */
  plant: () => string[];
  /** What the verification must report. */
  says: RegExp;
}

export const fault = (what: string, plant: () => string[], says: RegExp): PlantedFault => ({ what, plant, says });
export const drop = (table: string, ...constraints: string[]) =>
  constraints.map((constraint) => `alter table ${table} drop constraint ${constraint}`);
/** A copy of a row with some columns changed. */
export const copy = (table: string, where: string, change: object): string =>
  `insert into ${table} select (jsonb_populate_record(r, '${JSON.stringify(change)}')).* from ${table} r where ${where}`;
export const cycle = (id: string) => `id = '${id}'`;
export const ofCycle = (id: string) => `cycle_id = '${id}'`;
const ofPayment = (id: string) => `provider_payment_id = '${id}'`;
const refundOf = (id: string) => `payment_id = '${id}'`;
/** A counter that says that these units were taken, with a quota that allows them. */
export const counter = (kind: QuotaKind, units: number | string, where: string) => {
  const free = `customer_id || ' ' || service_id`;
  const scope = { day: 'activation_id', cycle: 'id', 'free-day': free, 'free-window': free }[kind];
  const days = { day: 1, 'free-day': 1, 'free-window': 30, cycle: undefined }[kind];
  return `insert into quota_counters (kind, scope_id, customer_id, service_id, from_date, to_date, quota, taken)
    select '${kind}', ${scope}, customer_id, service_id,
      ${days === undefined ? `'-infinity', 'infinity'` : `from_date, from_date + ${days}`}, ${units}, ${units} from cycles where ${where}`;
};
const second = `position = 2`;
const linesOf = `entry_id = (select id from ledger_entries where ${second})`;

const accessFaults: PlantedFault[] = [
  fault(
    'two paid cycles overlap',
    () => [
      ...drop('cycles', 'cycles_never_overlap'),
      `update cycles set from_date = from_date - 1, to_date = to_date - 1 where ${cycle(planted.upcoming)}`,
    ],
    /cycles CYC-\S+ and CYC-\S+ overlap/,
  ),
  fault(
    'a free cycle overlaps a paid one',
    () => [
      ...drop('cycles', 'cycles_never_overlap'),
      copy('cycles', cycle(planted.paid), {
        id: 'CYC-X',
        status: 'NO_PAYMENT_REQUIRED',
        price_paise: 0,
        paid_at: null,
      }),
    ],
    /overlap/,
  ),
  fault(
    'a cycle is paid without a captured payment',
    () => [`update cycles set status = 'PAID', paid_at = created_at where ${cycle(planted.pending)}`],
    /cycle \S+ \(PAID\) is paid by 0 payments/,
  ),
  fault(
    'a plan that costs money gives access as a free one',
    () => [
      ...drop('cycles', 'cycles_check1'),
      `update cycles set status = 'NO_PAYMENT_REQUIRED' where ${cycle(planted.pending)}`,
    ],
    /\(NO_PAYMENT_REQUIRED\) is paid by 0 payments/,
  ),
  fault(
    'a plan that costs money is sold for nothing',
    () => [`update cycles set status = 'NO_PAYMENT_REQUIRED', price_paise = 0 where ${cycle(planted.pending)}`],
    /costs 0, its plan 49900/,
  ),
  fault(
    'a cancelled cycle gives access again',
    () => [`update cycles set status = 'PAID' where ${cycle(planted.cancelled)}`],
    /is PAID and 49900 of 49900 is refunded/,
  ),
  fault(
    'a removed cycle is revived',
    () => [`update cycles set status = 'PAID', paid_at = created_at where ${cycle(planted.removed)}`],
    /is paid by 0 payments/,
  ),
  fault(
    'a cycle is one day longer than its plan',
    () => [
      ...drop('cycles', 'cycles_never_overlap'),
      `update cycles set to_date = to_date + 1 where ${cycle(planted.paid)}`,
    ],
    /lasts 31 days/,
  ),
  fault(
    'a cycle starts before the day on which it was bought',
    () => [`update cycles set from_date = from_date - 40, to_date = to_date - 40 where ${cycle(planted.paid)}`],
    /before it was created or paid/,
  ),
  fault(
    'a cycle has more calls than its plan',
    () => [`update cycles set daily_quota = daily_quota + 1 where ${cycle(planted.paid)}`],
    /has other quotas than its plan/,
  ),
  fault(
    'a second trial',
    () => [
      'drop index cycles_one_trial',
      copy('cycles', cycle(planted.trial), { id: 'CYC-X', from_date: '2099-01-01', to_date: '2099-01-15' }),
    ],
    /had the trial of tax-lookup-api 2 times/,
  ),
  fault(
    'a second activation of a product',
    () => ['drop index activations_one_per_service', copy('activations', cycle(planted.activation), { id: 'ACT-X' })],
    /has tax-lookup-api 2 times/,
  ),
  fault(
    'a cycle belongs to another customer’s activation',
    () => [`update cycles set customer_id = '${planted.other}' where ${cycle(planted.pending)}`],
    /does not match its activation's customer and product/,
  ),
  fault(
    'an activation is deleted and its cycle continues',
    () => [`update activations set deleted_at = now() where ${cycle(planted.activation)}`],
    /is deleted and cycle \S+ is PAID/,
  ),
  fault(
    'a cycle has used more calls than its quota',
    () => [counter('cycle', 'monthly_quota + 101', cycle(planted.paid))],
    /cycle \S+ has taken \d+ of \d+ units/,
  ),
  fault(
    'a day has used more calls than the plan’s quota',
    () => [counter('day', 'daily_quota + 101', cycle(planted.paid))],
    /activation \S+ has taken \d+ on \S+ of \d+ units/,
  ),
  fault(
    'a day has used more free calls than the free plan’s quota',
    () => [counter('free-day', 9, cycle(planted.paid))],
    /customer \S+ has taken \d+ free units of tax-lookup-api on \S+ of \d+ units/,
  ),
  fault(
    'thirty days have used more free calls than the free plan’s quota',
    () => [counter('free-window', 9, cycle(planted.paid))],
    /customer \S+ has taken \d+ free units of tax-lookup-api from \S+ of \d+ units/,
  ),
];

const moneyFaults: PlantedFault[] = [
  fault(
    'a captured payment has no use',
    () => [
      ...drop('payments', 'payments_check'),
      copy('payments', ofPayment(planted.latePayment), { provider_payment_id: 'pay_X', use: null }),
    ],
    /payment pay_X is captured but its entry is missing/,
  ),
  fault(
    'a captured payment that must be refunded has no refund',
    () => [`delete from refunds where ${refundOf(planted.latePayment)}`],
    /must be refunded and has no refund/,
  ),
  fault(
    'a cycle is paid by two payments',
    () => [
      'drop index payments_one_per_order',
      copy('payments', ofPayment(planted.payment), { provider_payment_id: 'pay_X' }),
    ],
    /is paid by 2 payments/,
  ),
  fault(
    'a payment is one paisa more',
    () => [`update payments set amount_paise = amount_paise + 1 where ${ofPayment(planted.payment)}`],
    /captured \d+, cycles/,
  ),
  fault(
    'a payment has another currency',
    () => [`update payments set currency = 'USD' where ${ofPayment(planted.payment)}`],
    /USD: captured/,
  ),
  fault(
    'a payment belongs to another customer than its order',
    () => [`update payments set customer_id = '${planted.other}' where ${ofPayment(planted.latePayment)}`],
    /payment \S+ differs from its order/,
  ),
  fault(
    'a refund is more than was captured',
    () => [`update refunds set amount_paise = amount_paise + 100000 where ${refundOf(planted.latePayment)}`],
    /refund \S+ \(PROCESSED\) does not match its entries/,
  ),
  fault(
    'a payment is refunded twice',
    () => [
      'drop index refunds_one_of_ours',
      copy('refunds', refundOf(planted.latePayment), { id: 'RFD-X', provider_refund_id: 'rfnd_X' }),
    ],
    /gives 99800 of 49900 back/,
  ),
  fault(
    'a refund belongs to a payment that does not exist',
    () => [
      copy('refunds', refundOf(planted.latePayment), {
        id: 'RFD-X',
        payment_id: 'pay_X',
        provider_refund_id: 'rfnd_X',
      }),
    ],
    /refund RFD-X \(PROCESSED\) does not match its entries/,
  ),
  fault(
    'a refund goes to another customer',
    () => [`update refunds set customer_id = '${planted.other}' where ${refundOf(planted.latePayment)}`],
    /refund \S+ \(PROCESSED\) does not match its entries/,
  ),
  fault(
    'a completed refund is marked as pending',
    () => [
      `update refunds set status = 'PENDING', settled_at = null, next_try_at = now() where ${refundOf(planted.latePayment)}`,
    ],
    /\(PENDING\) does not match its entries/,
  ),
  fault(
    'a paid cycle is marked as refunded',
    () => [`update cycles set status = 'REFUNDED' where ${cycle(planted.paid)}`],
    /is refunded without a refund/,
  ),
];

const ledgerFaults: PlantedFault[] = [
  fault(
    'an entry does not sum to zero',
    () => [`update ledger_lines set amount_paise = amount_paise + 1 where account = 'provider' and ${linesOf}`],
    /the chain: entry \S+ sums to 1/,
  ),
  fault(
    'amounts of an entry are changed so that it still sums to zero',
    () => [`update ledger_lines set amount_paise = 2 * amount_paise where ${linesOf}`],
    /the chain: entry \S+ has been changed/,
  ),
  fault(
    'a hash is changed',
    () => [`update ledger_entries set hash = set_bit(hash, 9, 1 - get_bit(hash, 9)) where ${second}`],
    /the chain: entry \S+ has been changed/,
  ),
  fault(
    'an entry is deleted',
    () => [`delete from ledger_lines where ${linesOf}`, `delete from ledger_entries where ${second}`],
    /the chain: entry 2 is missing/,
  ),
  fault(
    'the last entry is deleted and the head set back',
    () => [
      `create temp table gone on commit drop as select * from ledger_entries order by position desc limit 1`,
      `delete from ledger_lines where entry_id = (select id from gone)`,
      `delete from ledger_entries where id = (select id from gone)`,
      `update ledger_head set position = e.position, hash = e.hash from (select * from ledger_entries order by position desc limit 1) e`,
    ],
    /the chain: it ends at \d+, but had \d+ entries before/,
  ),
  fault(
    'an entry is not in the chain',
    () => [
      `insert into ledger_entries select 'x', kind, payment_id, refund_id, cycle_id, customer_id, currency, posted_at, null, null
            from ledger_entries where ${second}`,
    ],
    /the chain: entry x is not in the chain/,
  ),
];

export const plantedFaults: readonly PlantedFault[] = [...accessFaults, ...moneyFaults, ...ledgerFaults];
