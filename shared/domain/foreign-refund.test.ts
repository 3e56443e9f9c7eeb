import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planForeign, shareOfForeign } from './foreign-refund.ts';

test('money refunded elsewhere pays promised refunds first, and the rest is new up to the remaining amount', () => {
  expect(shareOfForeign(300, { leftPaise: 1000, unpaidPaise: 0 })).toEqual({
    coversPaise: 0,
    duePaise: 300,
    lossPaise: 0,
  });
  // Both would fit into the payment: it is the promised refund all the same.
  expect(shareOfForeign(500, { leftPaise: 500, unpaidPaise: 500 })).toEqual({
    coversPaise: 500,
    duePaise: 0,
    lossPaise: 0,
  });
  expect(shareOfForeign(300, { leftPaise: 0, unpaidPaise: 1000 })).toEqual({
    coversPaise: 300,
    duePaise: 0,
    lossPaise: 0,
  });
  expect(shareOfForeign(800, { leftPaise: 600, unpaidPaise: 400 })).toEqual({
    coversPaise: 400,
    duePaise: 400,
    lossPaise: 0,
  });
  // A dispute that is lost after everything was refunded takes money that the customer never paid.
  expect(shareOfForeign(1000, { leftPaise: 0, unpaidPaise: 0 })).toEqual({
    coversPaise: 0,
    duePaise: 0,
    lossPaise: 1000,
  });
});

test('whatever is refunded, promises never exceed the captured amount, and only promised money is covered', () => {
  const paise = fc.integer({ min: 1, max: 1_000_000 });
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(paise, part, part, paise, (capturedPaise, promised, unpaid, amountPaise) => {
      const promisedPaise = Math.floor(capturedPaise * promised);
      const unpaidPaise = Math.floor(promisedPaise * unpaid);
      const payment = { leftPaise: capturedPaise - promisedPaise, unpaidPaise };
      const { coversPaise, duePaise, lossPaise } = shareOfForeign(amountPaise, payment);
      expect(coversPaise + duePaise + lossPaise).toBe(amountPaise);
      expect(Math.min(coversPaise, duePaise, lossPaise)).toBeGreaterThanOrEqual(0);
      expect(promisedPaise + duePaise).toBeLessThanOrEqual(capturedPaise);
      // Nothing new becomes due while promised money is unpaid, and nothing is lost while something can be due.
      expect(coversPaise).toBe(Math.min(amountPaise, unpaidPaise));
      expect(lossPaise === 0 || promisedPaise + duePaise === capturedPaise).toBe(true);
    }),
  );
});

test('a period that was refunded beyond tax deducted at source takes nothing from the others of its payment', () => {
  const periods = [
    { cycleId: 'CYC-2', paidPaise: 1000 },
    { cycleId: 'CYC-1', paidPaise: 1000 },
  ];
  const paid = { cycleId: 'CYC-1', status: 'PROCESSED', coversPaise: 0, coveredPaise: 0 } as const;
  const refunds = [
    { ...paid, id: 'RFD-1', origin: 'TDS', amountPaise: 100 },
    { ...paid, id: 'RFD-2', origin: 'OPERATOR', amountPaise: 1000 },
  ] as const;
  const { shares, lossPaise } = planForeign({ periods, refunds }, { amountPaise: 2000, isLossNoted: true });
  expect(shares).toMatchObject([{ cycleId: 'CYC-2', duePaise: 1000 }]);
  expect(lossPaise).toBe(1000);
});
