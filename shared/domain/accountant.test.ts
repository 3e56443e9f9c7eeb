import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type AccountantRequest,
  dueMonths,
  emailOf,
  firstUnsendableMonth,
  maxRequests,
  requestFault,
  requestWindowMs,
} from './accountant.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-12-01T06:00:00+05:30');

const someone = fc.constantFrom('CUS-1', 'CUS-2', 'CUS-3');
const address = fc.constantFrom('a@x.example', 'b@x.example');
const steps = fc.array(
  fc.record({
    customerId: someone,
    email: address,
    afterMs: fc.integer({ min: 0, max: 12 * dayMs }),
    outcome: fc.constantFrom('declines', 'confirms', 'nothing'),
  }),
  { maxLength: 60 },
);

test('whatever customers ask, nobody asks and no address gets more than three unconfirmed requests in any 30 days', () => {
  fc.assert(
    fc.property(steps, (tried) => {
      const made: AccountantRequest[] = [];
      let at = now;
      for (const { customerId, email, afterMs, outcome } of tried) {
        at += afterMs;
        const fault = requestFault(made, { customerId, email }, at);
        const recent = made.filter(({ askedAt, isConfirmed }) => !isConfirmed && at < askedAt + requestWindowMs);
        const most = Math.max(
          recent.filter((each) => each.customerId === customerId).length,
          recent.filter((each) => each.email === email).length,
        );
        // A declined one may be refused below the limit too.
        expect(most >= maxRequests ? [fault !== undefined] : [fault !== 'too_often']).toEqual([true]);
        expect(most).toBeLessThanOrEqual(maxRequests);
        if (fault !== undefined) continue;
        const [isConfirmed, declinedAt] = [outcome === 'confirms', outcome === 'declines' ? at : null];
        made.push({ customerId, email, askedAt: at, isConfirmed, declinedAt });
      }
    }),
  );
});

test('an accountant who declined is not asked again by that customer for a year, but by others', () => {
  const about = { customerId: 'CUS-1', email: 'a@x.example' };
  const declined = [{ ...about, askedAt: now, isConfirmed: false, declinedAt: now }];
  const ask = (customerId: string, days: number) =>
    requestFault(declined, { customerId, email: 'a@x.example' }, now + days * dayMs);
  expect(ask('CUS-1', 364)).toBe('declined');
  expect(ask('CUS-1', 365)).toBeUndefined();
  expect(ask('CUS-2', 1)).toBeUndefined();
});

test('addresses that differ in case or in spaces around them are the same', () => {
  expect(emailOf(' Asha.CA@Example.COM ')).toBe('asha.ca@example.com');
});

test('a month is due from 06:00 IST on the 1st, and not a millisecond earlier', () => {
  expect(dueMonths('2026-11', now - 1)).toEqual([]);
  expect(dueMonths('2026-11', now)).toEqual(['2026-11']);
  expect(firstUnsendableMonth(now - 1)).toBe('2026-11');
});

test('months that were missed are due too, oldest first and at most twelve', () => {
  expect(dueMonths('2026-09', now)).toEqual(['2026-09', '2026-10', '2026-11']);
  expect(dueMonths('2020-01', now)).toHaveLength(12);
  expect(dueMonths('2027-01', now)).toEqual([]);
});
