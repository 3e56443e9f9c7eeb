import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  ceilingOf,
  mandateAfter,
  mandateStates,
  maxCeilingPaise,
  needsPin,
  nextMandateStates,
  withoutPinPaise,
} from './mandate.ts';

test('the ceiling is a quarter above the price in whole rupees, and at most what needs no PIN', () => {
  expect(ceilingOf(1_499_00, false)).toBe(1_874_00);
  expect(ceilingOf(1_178_82, false)).toBe(1_474_00);
  expect(ceilingOf(14_000_00, false)).toBe(withoutPinPaise);
  expect(ceilingOf(15_000_01, false)).toBeUndefined();
  expect(ceilingOf(15_000_01, true)).toBe(18_751_00);
  expect(ceilingOf(90_000_00, true)).toBe(maxCeilingPaise);
  expect(ceilingOf(0, false)).toBeUndefined();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 * maxCeilingPaise }), fc.boolean(), (price, pin) => {
      const ceiling = ceilingOf(price, pin);
      expect(ceiling === undefined).toBe(price > (pin ? maxCeilingPaise : withoutPinPaise));
      if (ceiling === undefined) return;
      expect(ceiling).toBeGreaterThanOrEqual(price);
      expect(ceiling <= withoutPinPaise || pin).toBe(true);
      expect(needsPin(ceiling) && !pin).toBe(false);
    }),
  );
});

test('the token’s status moves a mandate forward only, and one that has ended stays so', () => {
  expect(mandateAfter('ASKED', 'initiated')).toBeUndefined();
  expect(mandateAfter('ASKED', 'confirmed')).toEqual({ state: 'IN_FORCE' });
  expect(mandateAfter('ASKED', 'rejected')).toEqual({ state: 'LAPSED' });
  expect(mandateAfter('IN_FORCE', 'paused')).toEqual({ state: 'PAUSED' });
  expect(mandateAfter('PAUSED', 'cancellation_initiated')).toEqual({ state: 'ENDED', endedBy: 'APP' });
  expect(mandateAfter('IN_FORCE', 'expired')).toEqual({ state: 'ENDED', endedBy: 'EXPIRY' });
  const statuses = [
    'initiated',
    'confirmed',
    'rejected',
    'paused',
    'cancellation_initiated',
    'cancelled',
    'expired',
    'x',
  ];
  for (const state of mandateStates) {
    for (const status of statuses) {
      const step = mandateAfter(state, status);
      expect(step === undefined || nextMandateStates[state].includes(step.state)).toBe(true);
    }
  }
});
