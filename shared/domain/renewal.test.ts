import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, startOfDay, type Day } from './day.ts';
import {
  announceDay,
  askDay,
  debitDay,
  lastDebitDay,
  isDebitTooLate,
  isLiveDebit,
  isLiveMandate,
  mandateStates,
  maxDebits,
  type DebitState,
} from './mandate.ts';
import { noRenewals, renewalStep, whyNotRenewed, type RenewalFacts } from './renewal.ts';

const end: Day = '2026-12-30';
const mandate = {
  state: 'IN_FORCE',
  planId: 'growth',
  ceilingPaise: 1_875_00,
  expiresOn: '2031-11-01',
  skippedFor: null,
  announced: null,
  withheld: null,
} as const;
const facts: RenewalFacts = {
  isDeleted: false,
  isBlocked: false,
  isSuspended: false,
  isDisputed: false,
  mandate,
  last: { planId: 'growth', toDate: end },
  pricePaise: 1_499_00,
  debits: [],
  failedOn: null,
  isDebitMoved: false,
  isGivenUp: false,
  isPaidElsewhere: false,
  isPackAtBank: false,
  isTooLate: false,
  isByTransfer: false,
};
const told = { ...mandate, announced: { for: end, paise: 1_499_00, on: '2026-12-25' as Day } };

test('a renewal is announced five days before the end, and asked for from four to two days before it, so that the bank has answered by then', () => {
  const stepOn = (today: Day, of = facts) => renewalStep(of, today);
  expect(stepOn(addDays(end, -6))).toEqual({ do: 'nothing' });
  expect(stepOn(addDays(end, -5))).toEqual({ do: 'announce', for: end, paise: 1_499_00 });
  const ask = { do: 'ask', for: end, paise: 1_499_00, attempt: 1 };
  expect(stepOn(addDays(end, -5), { ...facts, mandate: told })).toEqual({ do: 'nothing' });
  for (const before of [4, 3, 2]) expect(stepOn(addDays(end, -before), { ...facts, mandate: told })).toEqual(ask);
  const late = { do: 'withhold', reason: 'not_in_time', for: end };
  expect(stepOn(addDays(end, -1), { ...facts, mandate: told })).toEqual(late);
  expect(stepOn(end, { ...facts, mandate: told })).toEqual({ do: 'nothing' });
});

test('a debit that failed is asked for once more, from the next day on, and not when the bank could not answer before the cycle begins', () => {
  const failed = { ...facts, mandate: told, debits: ['FAILED'], failedOn: addDays(end, -3) } as const;
  expect(renewalStep(failed, addDays(end, -3))).toEqual({ do: 'nothing' });
  expect(renewalStep(failed, addDays(end, -2))).toMatchObject({ do: 'ask', attempt: 2 });
  expect(askDay({ tries: 1, failedOn: addDays(end, -2) }, end)).toBeUndefined();
  expect(askDay({ tries: 2, failedOn: addDays(end, -3) }, end)).toBeUndefined();
  expect(renewalStep({ ...failed, debits: ['FAILED', 'FAILED'] }, addDays(end, -2))).toEqual({ do: 'nothing' });
  // The answer to the first one comes in time for the second, and that to the second before the end.
  expect(isDebitTooLate(lastDebitDay(end), startOfDay(debitDay(end)))).toBe(false);
  expect(isDebitTooLate(end, startOfDay(lastDebitDay(end)))).toBe(false);
  expect(isDebitTooLate(end, startOfDay(addDays(lastDebitDay(end), 1)))).toBe(true);
});

test('another price is announced anew, and not debited on the day on which it was announced', () => {
  const dearer = { ...facts, mandate: told, pricePaise: 1_599_00 };
  expect(renewalStep(dearer, debitDay(end))).toEqual({ do: 'announce', for: end, paise: 1_599_00 });
  const today = debitDay(end);
  const again = { ...dearer, mandate: { ...told, announced: { for: end, paise: 1_599_00, on: today } } };
  expect(renewalStep(again, today)).toEqual({ do: 'nothing' });
  expect(renewalStep(again, addDays(today, 1))).toMatchObject({ do: 'ask' });
  // Not so late that there is no day left for the debit.
  expect(renewalStep(dearer, addDays(end, -2))).toEqual({ do: 'withhold', reason: 'not_in_time', for: end });
});

test('each reason against a renewal is told once its day has come', () => {
  const cases: [Partial<RenewalFacts>, string][] = [
    [{ isDeleted: true }, 'deleted'],
    [{ isBlocked: true }, 'blocked'],
    [{ isSuspended: true }, 'suspended'],
    [{ isDisputed: true }, 'disputed'],
    [{ mandate: { ...told, state: 'ENDED' } }, 'off'],
    [{ mandate: { ...told, state: 'PAUSED' } }, 'paused'],
    [{ mandate: { ...told, state: 'ASKED' } }, 'not_confirmed'],
    [{ last: { planId: 'scale', toDate: end } }, 'other_plan'],
    [{ mandate: { ...told, skippedFor: end } }, 'skipped'],
    [{ isGivenUp: true }, 'given_up'],
    [{ isByTransfer: true }, 'by_transfer'],
    [{ pricePaise: undefined }, 'withdrawn'],
    [{ pricePaise: told.ceilingPaise + 1 }, 'dearer'],
    [{ mandate: { ...told, expiresOn: end } }, 'expires'],
  ];
  for (const [other, reason] of cases) {
    const of = { ...facts, mandate: told, ...other };
    expect(whyNotRenewed(of)).toBe(reason);
    expect(renewalStep(of, debitDay(end))).toEqual({ do: 'withhold', reason, for: end });
  }
  expect(whyNotRenewed({ ...facts, mandate: undefined })).toBe('not_asked');
  expect(whyNotRenewed({ ...facts, last: undefined })).toBe('no_plan');
});

test('what the customer has decided is said, whatever else would keep it from being debited', () => {
  const others: Partial<RenewalFacts>[] = [{ isBlocked: true }, { isSuspended: true }, { isDisputed: true }];
  for (const other of others) {
    expect(whyNotRenewed({ ...facts, ...other, mandate: { ...told, skippedFor: end } })).toBe('skipped');
    expect(whyNotRenewed({ ...facts, ...other, mandate: told, isGivenUp: true })).toBe('given_up');
  }
});

test('a plan that was skipped once is renewed again after the customer paid for it by hand', () => {
  const skipped = { ...told, skippedFor: end };
  const paid = { ...facts, mandate: skipped, last: { planId: 'growth', toDate: addDays(end, 30) } };
  expect(whyNotRenewed(paid)).toBeUndefined();
});

const day = fc.integer({ min: -10, max: 10 }).map((days) => addDays(end, days));
const anyFacts: fc.Arbitrary<RenewalFacts> = fc.record({
  isDeleted: fc.boolean(),
  isBlocked: fc.boolean(),
  isSuspended: fc.boolean(),
  isDisputed: fc.boolean(),
  mandate: fc.option(
    fc.record({
      state: fc.constantFrom(...mandateStates, 'IN_FORCE' as const, 'IN_FORCE' as const),
      planId: fc.constantFrom('growth', 'scale'),
      ceilingPaise: fc.constantFrom(1_000_00, 1_499_00, 1_875_00),
      expiresOn: day,
      skippedFor: fc.option(day),
      announced: fc.option(fc.record({ for: day, paise: fc.constantFrom(1_499_00, 1_599_00), on: day })),
      withheld: fc.option(fc.record({ for: day, reason: fc.constantFrom(...noRenewals) })),
    }),
    { nil: undefined },
  ),
  last: fc.option(fc.record({ planId: fc.constantFrom('growth', 'scale'), toDate: day }), { nil: undefined }),
  pricePaise: fc.option(fc.constantFrom(1_499_00, 1_599_00), { nil: undefined }),
  debits: fc.array(fc.constantFrom<DebitState>('ASKED', 'SENT', 'PAID', 'FAILED', 'DROPPED'), { maxLength: 3 }),
  failedOn: fc.option(day),
  isDebitMoved: fc.boolean(),
  isGivenUp: fc.boolean(),
  isPaidElsewhere: fc.boolean(),
  isPackAtBank: fc.boolean(),
  isTooLate: fc.boolean(),
  isByTransfer: fc.boolean(),
});

test('whatever the facts are, a debit is asked for only as the consent and the rules allow', () => {
  fc.assert(
    fc.property(anyFacts, day, (of, today) => {
      const step = renewalStep(of, today);
      if (step.do !== 'ask') return;
      const { mandate: by, last } = of;
      expect(by?.state).toBe('IN_FORCE');
      expect(step.paise).toBeLessThanOrEqual(by?.ceilingPaise ?? 0);
      expect(by?.announced).toMatchObject({ for: step.for, paise: step.paise });
      expect((by?.announced?.on ?? today) < today).toBe(true);
      expect(by?.skippedFor).not.toBe(step.for);
      expect(by?.planId).toBe(last?.planId);
      expect(step.for).toBe(last?.toDate);
      expect(today >= debitDay(step.for) && today <= lastDebitDay(step.for)).toBe(true);
      expect(step.for < (by?.expiresOn ?? '')).toBe(true);
      expect(of.debits.some((state) => isLiveDebit(state) || state === 'PAID')).toBe(false);
      expect(step.attempt).toBeLessThanOrEqual(maxDebits);
      expect(of.failedOn === null || today > of.failedOn).toBe(true);
      expect(
        of.isDeleted ||
          of.isBlocked ||
          of.isDisputed ||
          of.isSuspended ||
          of.isDebitMoved ||
          of.isGivenUp ||
          of.isPaidElsewhere ||
          of.isPackAtBank ||
          of.isByTransfer,
      ).toBe(false);
    }),
    { numRuns: 5000 },
  );
});

test('whatever the facts are, nothing is told or asked before the fifth day before the end', () => {
  fc.assert(
    fc.property(anyFacts, day, (of, today) => {
      if (of.last === undefined || today >= announceDay(of.last.toDate)) return;
      expect(renewalStep(of, today)).toEqual({ do: 'nothing' });
    }),
  );
  expect(mandateStates.filter(isLiveMandate)).toEqual(['ASKED', 'IN_FORCE', 'PAUSED']);
});
