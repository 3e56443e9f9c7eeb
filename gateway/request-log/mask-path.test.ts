import fc from 'fast-check';
import { expect, test } from 'vitest';
import { maskPath } from './mask-path.ts';

test.each([
  ['/tax-lookup/v1/gstin/27AAPFU0939F1ZV', '/tax-lookup/v1/gstin/27**********1ZV'],
  ['/tax-lookup/v1/gstin/27aapfu0939f1zv?x=27AAPFU0939F1ZV', '/tax-lookup/v1/gstin/27**********1ZV'],
  ['/tax-lookup/v1/gstin/27AAPFU0939F1Z', '/tax-lookup/v1/gstin/27***'],
  ['/tax-lookup/v1/gstin/%32%37AAPFU0939F1ZV', '/tax-lookup/v1/gstin/***'],
  ['/tax-lookup/v1/hsn/24022010?on=2026-01-31', '/tax-lookup/v1/hsn/24022010'],
  ['/tax-lookup/v1/pin/533464', '/tax-lookup/v1/pin/533464'],
  ['/gst-invoicing/v1/invoices/compute', '/gst-invoicing/v1/invoices/compute'],
  [`/gst-invoicing/v1/e-invoices/${'ab12'.repeat(16)}/cancel`, '/gst-invoicing/v1/e-invoices/ab***/cancel'],
])('%s is stored as %s', (target, masked) => {
  expect(maskPath(target)).toBe(masked);
});

test('no GSTIN, PAN or query survives, at any position', () => {
  const gstin = fc.stringMatching(/^[0-9]{2}[A-Za-z]{5}[0-9]{4}[A-Za-z][0-9A-Za-z]{3}$/);
  fc.assert(
    fc.property(gstin, fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (number, before, after) => {
      const masked = maskPath(`/a/${before}${number}${after}?q=${number}`);
      expect(masked).not.toMatch(/[?#]|\d{2}[a-z]{5}\d{4}[a-z][0-9a-z]{3}/i);
      expect(masked.toUpperCase()).not.toContain(number.slice(2, 12).toUpperCase());
      expect(masked.length).toBeLessThanOrEqual(300);
    }),
  );
});
