import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disputeMovesForward, type DisputeStatus, hasEnded, shareOfForeign } from './dispute.ts';

const statuses: DisputeStatus[] = ['open', 'under_review', 'won', 'lost', 'closed'];

test('a closed dispute keeps its status, and no dispute returns to open', () => {
  const pairs = statuses.flatMap((from) => statuses.map((to) => ({ from, to })));
  const stays = pairs.filter(({ from, to }) => hasEnded(from) || to === 'open');
  expect(stays.filter(({ from, to }) => disputeMovesForward(from, to))).toEqual([]);
  expect(disputeMovesForward('open', 'lost')).toBe(true);
  expect(disputeMovesForward('under_review', 'won')).toBe(true);
});

test('an external refund is new up to the remaining amount, and the rest covers promised refunds', () => {
  const captured = { capturedPaise: 1000 };
  expect(shareOfForeign(300, { ...captured, promisedPaise: 0, unpaidPaise: 0 })).toEqual({
    bookedPaise: 300,
    coversPaise: 0,
  });
  expect(shareOfForeign(300, { ...captured, promisedPaise: 1000, unpaidPaise: 1000 })).toEqual({
    bookedPaise: 300,
    coversPaise: 300,
  });
  expect(shareOfForeign(800, { ...captured, promisedPaise: 400, unpaidPaise: 400 })).toEqual({
    bookedPaise: 800,
    coversPaise: 200,
  });
  // A dispute that is lost after everything was refunded takes money that the customer never paid.
  expect(shareOfForeign(1000, { ...captured, promisedPaise: 1000, unpaidPaise: 0 })).toEqual({
    bookedPaise: 0,
    coversPaise: 0,
  });
});

test('whatever is refunded, promises never exceed the captured amount, and only promised money is covered', () => {
  const paise = fc.integer({ min: 1, max: 1_000_000 });
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(paise, part, part, paise, (capturedPaise, promised, unpaid, amountPaise) => {
      const promisedPaise = Math.floor(capturedPaise * promised);
      const unpaidPaise = Math.floor(promisedPaise * unpaid);
      const { bookedPaise, coversPaise } = shareOfForeign(amountPaise, { capturedPaise, promisedPaise, unpaidPaise });
      expect(promisedPaise + bookedPaise - coversPaise).toBeLessThanOrEqual(capturedPaise);
      expect(coversPaise).toBeLessThanOrEqual(Math.min(bookedPaise, unpaidPaise));
      expect(bookedPaise).toBeLessThanOrEqual(amountPaise);
      // Everything is booked unless it exceeds what the provider still has.
      expect(bookedPaise).toBe(Math.min(amountPaise, capturedPaise - promisedPaise + unpaidPaise));
    }),
  );
});
