import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dedupeKeyOf } from './dedupe-key.ts';
import { planForeign, wholeCycles } from './foreign-refund.ts';
import { type LedgerEntry, sumOfLines } from './ledger.ts';
import {
  effectsOfPromise,
  isUnpaid,
  keyOf,
  openOf,
  paidOutOf,
  paperOf,
  promised,
  type Refund,
  type RefundEvent,
  type RefundFault,
  type RefundStage,
  returnsOf,
  stageOf,
  stepOf,
} from './refund.ts';
import type { RefundStart } from './refund-start.ts';
import { whyUnpaid } from './why-unpaid.ts';

const start = {
  paymentId: 'pay_1',
  cycleId: 'CYC-1',
  currency: 'INR',
  reason: 'Cancelled before it started',
  from: 'CYCLE',
  origin: 'PORTAL',
  ofReplaced: false,
  amountPaise: 1000,
} as const satisfies RefundStart;

const refundIn = (stage: RefundStage): Refund => {
  const refund = promised(start, 'RFD-1', 'CUS-1', stage === 'TRANSFER' ? 'TRANSFER' : 'PROVIDER');
  return { ...refund, status: stage === 'TRANSFER' ? 'STARTED' : stage };
};

const at = new Date(0);
const eventsFor = (refund: Refund) =>
  ({
    pending: { type: 'reported', key: keyOf(refund), status: 'pending', providerRefundId: 'rfnd_1' },
    processed: { type: 'reported', key: keyOf(refund), status: 'processed', providerRefundId: 'rfnd_1' },
    failed: { type: 'reported', key: keyOf(refund), status: 'failed', providerRefundId: 'rfnd_1' },
    refused: { type: 'refused', refusal: 'no balance', at, forGood: false },
    'refused for good': { type: 'refused', refusal: 'too old', at, forGood: true },
    turned: { type: 'turned', isDisputed: false },
    transferred: { type: 'transferred', utr: 'HDFC0001', on: '2026-11-27', isDisputed: false },
    'covered in part': { type: 'covered', paise: 400 },
    covered: { type: 'covered', paise: 1000 },
    retried: { type: 'retried' },
  }) as const satisfies Record<string, RefundEvent>;

type EventName = keyof ReturnType<typeof eventsFor>;

const reports = { pending: 'PENDING', processed: 'PROCESSED', failed: 'FAILED' } as const;

/** The table of `shared/domain/refund.ts`. */
const table: Record<RefundStage, Partial<Record<EventName, RefundStage>>> = {
  STARTED: {
    ...reports,
    refused: 'STARTED',
    'refused for good': 'TRANSFER',
    'covered in part': 'STARTED',
    covered: 'PROCESSED',
  },
  TRANSFER: { ...reports, transferred: 'PROCESSED', 'covered in part': 'TRANSFER', covered: 'PROCESSED' },
  PENDING: reports,
  FAILED: { turned: 'TRANSFER', 'covered in part': 'STARTED', covered: 'PROCESSED', retried: 'STARTED' },
  PROCESSED: {},
};

const stages: RefundStage[] = ['STARTED', 'TRANSFER', 'PENDING', 'FAILED', 'PROCESSED'];

test.each(stages)('from %s a refund goes where the table says, and nowhere else', (from) => {
  const refund = refundIn(from);
  const reached = Object.entries(eventsFor(refund)).flatMap(([name, event]) => {
    const step = stepOf(refund, event);
    return typeof step === 'string' ? [] : [[name, stageOf(step.refund)]];
  });
  expect(Object.fromEntries(reached)).toEqual(table[from]);
});

const after = (refund: Refund, ...events: RefundEvent[]): Refund | RefundFault => {
  let now = refund;
  for (const event of events) {
    const step = stepOf(now, event);
    if (typeof step === 'string') return step;
    now = step.refund;
  }
  return now;
};

test('an operator turns a refund into a transfer once the provider has refused it, and not while its payment is disputed', () => {
  const refused = { type: 'refused', refusal: 'no balance', at, forGood: false } as const;
  const turned = { type: 'turned', isDisputed: false } as const;
  const refund = refundIn('STARTED');
  expect(after(refund, turned)).toBe('NOT_NOW');
  expect(after(refund, refused, { ...turned, isDisputed: true })).toBe('DISPUTED');
  expect(after(refund, refused, turned)).toMatchObject({ status: 'STARTED', payout: 'TRANSFER', refusedAt: at });
  const transferred = { type: 'transferred', utr: 'HDFC0001', on: '2026-11-27', isDisputed: true } as const;
  expect(after(refundIn('TRANSFER'), transferred)).toBe('DISPUTED');
});

test('an operator turns a refund that a bank returned, in its next attempt, and each turn is another event', () => {
  const turned = { type: 'turned', isDisputed: false } as const;
  const refund = { ...refundIn('FAILED'), providerRefundId: 'rfnd_1' };
  expect(after(refund, { ...turned, isDisputed: true })).toBe('DISPUTED');
  expect(after(refund, turned)).toMatchObject({ payout: 'TRANSFER', attempt: 2, providerRefundId: null });
  const { failed, 'refused for good': refused, retried } = eventsFor(refundIn('STARTED'));
  const keys: string[] = [];
  let now = refundIn('STARTED');
  for (const event of [refused, failed, retried, refused]) {
    const step = stepOf(now, event);
    if (typeof step === 'string') throw new Error(step);
    now = step.refund;
    keys.push(...step.events.map(dedupeKeyOf));
  }
  expect(keys).toEqual([
    'refund-failed:RFD-1:1',
    'refund-turned:RFD-1:1',
    'refund-transfer:RFD-1:1',
    // The same attempt: it is published once.
    'refund-failed:RFD-1:1',
    'refund-failed:RFD-1:2',
    'refund-turned:RFD-1:2',
    'refund-transfer:RFD-1:2',
  ]);
});

test.each([
  [{ status: 'STARTED', payout: 'TRANSFER', attempt: 1 }, null, ''],
  [{ status: 'STARTED', payout: 'PROVIDER', attempt: 1 }, null, 'Razorpay has not accepted it.'],
  [
    { status: 'PENDING', payout: 'PROVIDER', attempt: 2 },
    null,
    'A bank returned it once. Razorpay accepted it, and has not paid it.',
  ],
  [{ status: 'FAILED', payout: 'PROVIDER', attempt: 1 }, null, 'A bank returned it once.'],
  [{ status: 'STARTED', payout: 'PROVIDER', attempt: 3 }, 'No balance.', 'A bank returned it 2 times. No balance.'],
  [{ status: 'FAILED', payout: 'PROVIDER', attempt: 3 }, null, 'A bank returned it 3 times.'],
] as const)('an operator reads why %o with refusal %o is not paid', (refund, refusal, why) => {
  expect(whyUnpaid({ ...refund, refusal, returns: returnsOf(refund) })).toBe(why);
});

test('a report of an attempt that is over moves nothing: other money pays for it, or the next attempt does', () => {
  const refund = refundIn('STARTED');
  const { failed, processed, retried } = eventsFor(refund);
  expect(after(refund, { type: 'covered', paise: 1 }, processed)).toBe('SUPERSEDED');
  expect(after(refund, failed, retried, processed)).toBe('SUPERSEDED');
  expect(after(refund, failed, processed)).toBe('SUPERSEDED');
});

test('the document of a promise is issued where the law wants one', () => {
  const document = { id: 'DOC-1', kind: 'CREDIT_NOTE', number: 'C-1', issuedOn: '2026-11-27' } as const;
  expect(paperOf(start)).toBe('to be issued');
  expect(paperOf({ ...start, from: 'REFUND' })).toBeNull();
  expect(paperOf({ ...start, origin: 'TDS', claimId: 'TDS-1' })).toBeNull();
  expect(paperOf({ ...start, origin: 'CORRECTION', document: null })).toBeNull();
  expect(paperOf({ ...start, origin: 'CORRECTION', document })).toBe(document);
  const covering = { origin: 'PROVIDER', foreignId: 'rfnd_1', coversPaise: 1000, lossPaise: 0 } as const;
  expect(paperOf({ ...start, ...covering, amountPaise: 0 })).toBeNull();
  expect(paperOf({ ...start, ...covering })).toBe('to be issued');
});

/** A payment for two periods, with everything that can happen to its money. */
interface Story {
  refunds: (Refund & Pick<RefundStart, 'cycleId' | 'origin'>)[];
  entries: LedgerEntry[];
  /** What the provider and the bank have paid out. */
  movedPaise: number;
}

const periods = [
  { cycleId: 'CYC-2', paidPaise: 1000 },
  { cycleId: 'CYC-1', paidPaise: 1500 },
];
const capturedPaise = 2500;

const happening = fc.oneof(
  fc.record({
    what: fc.constant('promise' as const),
    period: fc.nat(1),
    share: fc.nat(100),
    isTds: fc.boolean(),
    payout: fc.constantFrom('PROVIDER' as const, 'TRANSFER' as const),
  }),
  fc.record({
    what: fc.constant('elsewhere' as const),
    amountPaise: fc.integer({ min: 1, max: 3000 }),
    origin: fc.constantFrom('PROVIDER' as const, 'DISPUTE' as const),
    isPaid: fc.boolean(),
    meantFor: fc.constantFrom(undefined, 'CYC-1', 'CYC-2'),
  }),
  fc.record({
    what: fc.constant('event' as const),
    refund: fc.nat(9),
    name: fc.constantFrom<EventName>(
      // Covered is by money that was refunded elsewhere alone.
      ...([
        'pending',
        'processed',
        'failed',
        'refused',
        'refused for good',
        'turned',
        'transferred',
        'retried',
      ] as const),
    ),
  }),
);

function begin(story: Story, own: RefundStart, payout: 'PROVIDER' | 'TRANSFER'): number {
  const refund = promised(own, `RFD-${story.refunds.length}`, 'CUS-1', payout);
  story.entries.push(...effectsOfPromise(own, refund, { document: null }).entries);
  return story.refunds.push({ ...refund, cycleId: own.cycleId, origin: own.origin }) - 1;
}

function move(story: Story, index: number, event: RefundEvent): void {
  const before = story.refunds[index];
  if (!before) return;
  const step = stepOf(before, event);
  expect(stageOf(before) === 'PROCESSED').toBe(step === 'PAID');
  if (typeof step === 'string') return;
  story.refunds[index] = { ...step.refund, cycleId: before.cycleId, origin: before.origin };
  story.entries.push(...step.entries);
  const isPaid = event.type === 'transferred' || (event.type === 'reported' && event.status === 'processed');
  if (isPaid) story.movedPaise += paidOutOf({ ...before, lossPaise: step.refund.lossPaise });
}

const balance = (story: Story, ...accounts: string[]): number =>
  story.entries
    .flatMap(({ lines }) => lines)
    .filter(({ account }) => accounts.includes(account))
    .reduce((sum, { amountPaise }) => sum + amountPaise, 0);

test('whatever happens, no more than was paid is refunded, everything that moved is booked, and what is due is still to be paid', () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 30 }), (happenings) => {
      const story: Story = { refunds: [], entries: [], movedPaise: 0 };
      for (const [index, each] of happenings.entries()) {
        const left = ({ cycleId, paidPaise }: (typeof periods)[number]): number =>
          story.refunds
            .filter((refund) => refund.cycleId === cycleId && refund.origin !== 'TDS')
            .reduce((sum, refund) => sum - refund.amountPaise + refund.coversPaise, paidPaise);
        if (each.what === 'promise') {
          const period = periods[each.period];
          const amountPaise = period ? Math.floor((left(period) * each.share) / 100) : 0;
          const cause = each.isTds ? ({ origin: 'TDS', claimId: 'TDS-1' } as const) : ({ origin: 'OPERATOR' } as const);
          if (period && amountPaise > 0)
            begin(story, { ...start, ...cause, cycleId: period.cycleId, amountPaise }, each.payout);
        } else if (each.what === 'elsewhere') {
          const { origin, amountPaise, meantFor: cycleId } = each;
          const isLossNoted = origin === 'DISPUTE';
          const plan = planForeign({ periods, refunds: story.refunds }, { amountPaise, isLossNoted, cycleId });
          for (const { cycleId, duePaise, coversPaise, lossPaise, covered } of plan.shares) {
            for (const { refundId, paise } of covered) {
              const at = story.refunds.findIndex(({ id }) => id === refundId);
              move(story, at, { type: 'covered', paise });
            }
            const foreign = { origin, foreignId: `rfnd_${index}`, coversPaise, lossPaise } as const;
            const at = begin(story, { ...start, ...foreign, cycleId, amountPaise: duePaise }, 'PROVIDER');
            const { processed } = eventsFor(story.refunds[at] ?? refundIn('PROCESSED'));
            if (each.isPaid || isLossNoted) move(story, at, processed);
          }
        } else {
          const refund = story.refunds[each.refund];
          if (refund) move(story, each.refund, eventsFor(refund)[each.name]);
        }
        for (const period of periods) expect(left(period)).toBeGreaterThanOrEqual(0);
        const losses = balance(story, 'losses');
        // Paid out, what is a loss and what was deducted at source aside: never more than was captured.
        expect(story.movedPaise - losses).toBeLessThanOrEqual(capturedPaise + balance(story, 'tds'));
        expect(balance(story, 'provider', 'bank') + story.movedPaise).toBe(0);
        const open = story.refunds.filter(({ status }) => status !== 'PROCESSED');
        // What is promised and not paid is due: what covers another refund pays that one.
        const duePaise = open.reduce((sum, refund) => sum + openOf(refund), 0);
        expect(balance(story, 'refunds') + duePaise).toBe(0);
        expect(balance(story, 'cycles', 'tds')).toBe(story.movedPaise - losses + duePaise);
        expect(story.refunds.reduce((sum, refund) => sum + refund.coversPaise - refund.coveredPaise, 0)).toBe(0);
        for (const entry of story.entries) expect(sumOfLines(entry.lines)).toBe(0);
      }
      const whole = wholeCycles({ periods, refunds: story.refunds });
      for (const { cycleId, paidPaise } of periods) {
        const promisedPaise = story.refunds
          .filter((refund) => refund.cycleId === cycleId)
          .reduce((sum, refund) => sum + refund.amountPaise - refund.coversPaise, 0);
        expect(whole.has(cycleId)).toBe(promisedPaise >= paidPaise);
      }
      expect(story.refunds.every((refund) => !isUnpaid(refund) || openOf(refund) > 0)).toBe(true);
    }),
  );
});
