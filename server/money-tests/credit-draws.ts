import fc from 'fast-check';
import {
  allowTerms,
  certify,
  creditBill,
  goToStop,
  payBill,
  sellLater,
  transferRefund,
  writeOff,
} from './credit-acts.ts';
import { endLinks, findLink, makeLink, payByLink } from './link-acts.ts';
import type { Run } from './renewal-life.ts';
import { askForTransfer, becomeBusiness } from './transfer-acts.ts';

/** The acts of terms and links in a life, as often as fast-check is to draw each, and what other mixes draw too. */

export const which = fc.nat(5);
export const run: fc.Arbitrary<Run> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Run>('once') },
  { weight: 1, arbitrary: fc.constant<Run>('in two processes') },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 80 }) },
);
export const checkout = fc.record({
  consents: fc.boolean(),
  outcome: fc.constantFrom('success' as const, 'success' as const, 'pending' as const, 'failed' as const),
  reports: fc.boolean(),
});

/** Of what is sold on credit terms. Its bills are paid, disputed and refunded by the other acts too. */
export const billing = [
  ...Array.from({ length: 2 }, () =>
    fc
      .tuple(fc.constantFrom(20_000, 5000, 5000, 2000, 1499, 0), fc.constantFrom(3, 10, 30), fc.constantFrom(0, 2, 5))
      .map((terms) => allowTerms(...terms)),
  ),
  ...Array.from({ length: 5 }, () =>
    fc.tuple(which, fc.oneof(fc.constant<Run>('once'), run)).map(([index, how]) => sellLater(index, how)),
  ),
  fc.constantFrom(-1, 0, 1).map(goToStop),
  which.map(writeOff),
  ...Array.from({ length: 2 }, () =>
    fc.tuple(which, fc.constantFrom(0.05, 0.3, 1)).map(([index, part]) => creditBill(index, part)),
  ),
  fc.tuple(which, fc.constantFrom(100, 12_700, 2_500)).map(([index, paise]) => certify(index, paise)),
  ...Array.from({ length: 2 }, () => which.map(transferRefund)),
  ...Array.from({ length: 3 }, () => fc.tuple(which, checkout).map(([index, how]) => payBill(index, how))),
  ...Array.from({ length: 2 }, () => which.map(askForTransfer)),
  ...Array.from({ length: 2 }, () => fc.constant(becomeBusiness())),
];

/** Of links by which others pay. */
export const linking = [
  ...Array.from({ length: 3 }, () =>
    fc.tuple(which, fc.constantFrom(1, 1, 2), fc.constantFrom(false, false, true)).map((link) => makeLink(...link)),
  ),
  fc.tuple(which, fc.constantFrom(false, false, true)).map(([index, ofAll]) => findLink(index, ofAll)),
  ...Array.from({ length: 5 }, () =>
    fc
      .tuple(
        which,
        fc.constantFrom('success' as const, 'success', 'pending', 'failed', 'left', 'transfer'),
        fc.boolean(),
      )
      .map((paid) => payByLink(...paid)),
  ),
  fc.constant(endLinks()),
];
