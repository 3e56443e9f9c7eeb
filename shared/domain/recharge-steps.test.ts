import { expect, test } from 'vitest';
import { addDays, startOfDay } from '#shared/domain/day.ts';
import { type RechargeFacts, rechargeStep, unitsEndAt, whyNotRecharged } from '#shared/domain/recharge.ts';
import { agreed } from '#shared/domain/test-recharge.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const begin = startOfDay('2026-11-01');
const until = startOfDay('2026-12-01');

const soon = (facts: Partial<RechargeFacts>): RechargeFacts => ({ ...agreed, endsAt: begin + 70 * hourMs, ...facts });
const mandate = (changed: Partial<NonNullable<RechargeFacts['mandate']>>) => ({
  mandate: agreed.mandate && { ...agreed.mandate, ...changed },
});

test.each([
  ['off', mandate({ monthlyPaise: null }), undefined],
  ['off', mandate({ state: 'ENDED' }), undefined],
  ['off', { isDeleted: true }, undefined],
  ['blocked', { isBlocked: true }, undefined],
  ['other_plan', { runningPlanId: 'starter' }, undefined],
  ['suspended', { isSuspended: true }, 'told'],
  ['disputed', { isDisputed: true }, 'told'],
  ['paused', mandate({ state: 'PAUSED' }), 'told'],
  ['by_transfer', { isByTransfer: true }, 'told'],
  ['withdrawn', { pricePaise: undefined }, 'told'],
  ['dearer', { pricePaise: 187_401 }, 'told'],
  ['monthly_ceiling', mandate({ monthlyPaise: 9_899 }), 'told'],
  ['monthly_ceiling', { debits: [{ paise: 90_101, askedAt: begin - hourMs, endedAt: begin + dayMs }] }, 'told'],
  ['expires', mandate({ expiresOn: '2026-11-04' }), 'told'],
] as const)('nothing is debited when it is %s: %o', (reason, changed, told) => {
  const facts = soon(changed);
  expect(whyNotRecharged(facts, begin)).toBe(reason);
  expect(rechargeStep(facts, begin)).toEqual(told ? { do: 'withhold', reason } : { do: 'nothing' });
  const again = { state: 'WITHHELD', reason, paise: null, toldAt: begin, isOfNow: true, isUntold: false } as const;
  expect(rechargeStep({ ...facts, shortage: again }, begin + hourMs)).toEqual({ do: 'nothing' });
});

test('what was skipped is not told of again, and a debit waits for another one of the mandate', () => {
  const skipped = {
    state: 'SKIPPED',
    reason: null,
    paise: 9_900,
    toldAt: begin,
    isOfNow: true,
    isUntold: false,
  } as const;
  expect(rechargeStep(soon({ shortage: skipped }), begin)).toEqual({ do: 'nothing' });
  expect(whyNotRecharged(soon({ shortage: skipped }), begin)).toBe('skipped');
  const told = {
    state: 'ANNOUNCED',
    reason: null,
    paise: 9_900,
    toldAt: begin,
    isOfNow: true,
    isUntold: false,
  } as const;
  const later = begin + 25 * hourMs;
  expect(rechargeStep(soon({ shortage: told, isBusy: true }), later)).toEqual({ do: 'nothing' });
  expect(rechargeStep(soon({ shortage: told }), later)).toEqual({ do: 'ask', paise: 9_900 });
  // Busy until the bank can't answer in time any more.
  const late = begin + 35 * hourMs;
  expect(rechargeStep(soon({ shortage: told, isBusy: true }), late)).toEqual({ do: 'withhold', reason: 'too_soon' });
  expect(rechargeStep(soon({ shortage: told, isPaidElsewhere: true }), late)).toEqual({ do: 'nothing' });
  // Another pack, or before it was agreed to, is another debit.
  expect(rechargeStep(soon({ shortage: { ...told, isOfNow: false } }), later)).toEqual({
    do: 'withhold',
    reason: 'too_soon',
  });
  const early = soon({ shortage: { ...told, isOfNow: false }, endsAt: begin + 80 * hourMs });
  expect(rechargeStep(early, begin)).toEqual({ do: 'announce', paise: 9_900 });
  // Another price was not told.
  expect(rechargeStep(soon({ shortage: told, pricePaise: 9_800 }), later)).toEqual({
    do: 'withhold',
    reason: 'too_soon',
  });
});

test('what was asked for is told of once more, when nothing came of it and nothing holds a recharge', () => {
  const asked = { state: 'ASKED', reason: null, paise: 9_900, toldAt: begin, isOfNow: true, isUntold: true } as const;
  const later = begin + 30 * hourMs;
  expect(rechargeStep(soon({ shortage: asked }), later)).toEqual({ do: 'give up' });
  expect(rechargeStep(soon({ shortage: asked, isBlocked: true }), later)).toEqual({ do: 'nothing' });
  expect(rechargeStep(soon({ shortage: asked, ...mandate({ monthlyPaise: null }) }), later)).toEqual({ do: 'nothing' });
  expect(rechargeStep(soon({ shortage: { ...asked, isUntold: false } }), later)).toEqual({ do: 'nothing' });
  expect(rechargeStep(soon({ shortage: asked, endsAt: undefined }), later)).toEqual({ do: 'nothing' });
});

test('a debit under way is not above the month for its own sake', () => {
  const asked = { state: 'ASKED', reason: null, paise: 9_900, toldAt: begin, isOfNow: true, isUntold: false } as const;
  const debits = [{ paise: 9_900, askedAt: begin, endedAt: null }];
  const facts = soon({ ...mandate({ monthlyPaise: 9_900 }), debits });
  expect(whyNotRecharged({ ...facts, shortage: asked }, begin + hourMs)).toBeUndefined();
  expect(whyNotRecharged(facts, begin + hourMs)).toBe('monthly_ceiling');
});

test('what would be asked for when the renewal is, is not announced: the renewal goes first, which is told once', () => {
  const from = (renewalFrom: number) => soon({ endsAt: begin + 80 * hourMs, renewalFrom });
  const first = { do: 'withhold', reason: 'renewal_first' };
  expect(rechargeStep(from(begin + 25 * hourMs), begin)).toEqual({ do: 'announce', paise: 9_900 });
  expect(rechargeStep(from(begin + 24 * hourMs), begin)).toEqual(first);
  expect(rechargeStep(from(begin - hourMs), begin)).toEqual(first);
  // It was announced, and by its use not asked for until then.
  const told = {
    state: 'ANNOUNCED',
    reason: null,
    paise: 9_900,
    toldAt: begin,
    isOfNow: true,
    isUntold: false,
  } as const;
  const now = begin + 30 * hourMs;
  const late = { shortage: told, endsAt: now + 62 * hourMs, renewalFrom: now };
  expect(rechargeStep(soon(late), now)).toEqual(first);
  const again = { ...told, state: 'WITHHELD', reason: 'renewal_first' } as const;
  expect(rechargeStep(soon({ ...late, shortage: again }), now + hourMs)).toEqual({ do: 'nothing' });
  const paid = { shortage: again, endsAt: now + 10 * hourMs };
  expect(rechargeStep(soon(paid), now)).toEqual({ do: 'nothing' });
});

test('the first day of a plan foretells nothing, and an ordinary day that begins early is no burst', () => {
  const now = begin + 23 * hourMs;
  expect(
    unitsEndAt({ now, since: begin, until, remaining: 10, usedOn: new Map([['2026-11-01', 990]]) }),
  ).toBeUndefined();
  const days = new Map([...Array(9).keys()].map((day) => [addDays('2026-11-01', day), 100]));
  const morning = startOfDay('2026-11-10') + 3 * hourMs;
  days.set('2026-11-10', 150);
  expect(unitsEndAt({ now: morning, since: begin, until, remaining: 140, usedOn: days })).toBeGreaterThan(
    morning + dayMs,
  );
  days.set('2026-11-10', 250);
  expect(unitsEndAt({ now: morning, since: begin, until, remaining: 140, usedOn: days })).toBe(
    morning + Math.ceil((140 * 3 * hourMs) / 250),
  );
});
