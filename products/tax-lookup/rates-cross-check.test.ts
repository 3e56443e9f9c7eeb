import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { readRateTable } from '#products/tax-lookup/rate-files.ts';
import { type RateRow, rowsOn } from '#products/tax-lookup/rate-table.ts';
import { ratesFolder } from '#products/test-products.ts';

/**
 * A third-party transcription of notification 9/2025, as JSON: code to its rates. Its licence does not let us ship it,
 * so the test is skipped unless GOODS_RATES_FILE names the file.
 */
const otherReading = process.env['GOODS_RATES_FILE'];

/** It leaves out nil rates (10/2025) and bricks (14/2025). */
const ofNotification = (rows: readonly RateRow[]) =>
  rowsOn(rows, '2025-09-22').inForce.filter(({ notification }) => notification.startsWith('9/2025'));

const shape = z.looseObject({
  codes: z.record(z.string(), z.array(z.looseObject({ gstRate: z.number(), description: z.string() }))),
});

/** Where the two differ on 22 September 2025, and why ours is right. In each case ours has one rate more. */
const underTheChapter = 'The other reading keeps 5 % up to ₹2,500 a pair under chapter 64 alone.';
const electric = 'The other reading keeps the 5 % of electric vehicles under chapter 87 alone.';
const residual =
  'What the entry of Schedule I does not name falls to the last entry of Schedule II (S. No. 639), 18 %.';
const explained: Record<string, string> = {
  '6401: ours 5, 18; theirs 18': underTheChapter,
  '6402: ours 5, 18; theirs 18': underTheChapter,
  '6403: ours 5, 18; theirs 18': underTheChapter,
  '6404: ours 5, 18; theirs 18': underTheChapter,
  '6405: ours 5, 18; theirs 18': underTheChapter,
  '8424: ours 5, 18; theirs 5': residual,
  '852560: ours 5, 18; theirs 5': residual,
  '8702: ours 5, 18; theirs 18': electric,
  '8703: ours 5, 18, 40; theirs 18, 40': electric,
  '8711: ours 5, 18, 40; theirs 18, 40': electric,
  '9004: ours 5, 18; theirs 18': 'Its parser ran corrective spectacles (5 %) into the text of 9003.',
  '9405: ours 5, 18; theirs 5': residual,
};

test('the curated rates of goods match another transcription of 9/2025, except for known differences', ({ skip }) => {
  if (otherReading === undefined) return skip('GOODS_RATES_FILE does not name the JSON of another transcription');
  const { codes } = shape.parse(JSON.parse(readFileSync(otherReading, 'utf8')));
  const inBoth = readRateTable(ratesFolder).entries.filter(
    ({ code, rows }) => codes[code] !== undefined && ofNotification(rows).length > 0,
  );
  const differences = inBoth.flatMap(({ code, rows }) => {
    const ours = [...new Set(ofNotification(rows).map((row) => row.rate))].toSorted((a, b) => a - b);
    const theirs = [...new Set((codes[code] ?? []).map((row) => row.gstRate))].toSorted((a, b) => a - b);
    return ours.join() === theirs.join() ? [] : [`${code}: ours ${ours.join(', ')}; theirs ${theirs.join(', ')}`];
  });
  expect(inBoth.length).toBeGreaterThan(100);
  expect(differences).toEqual(Object.keys(explained));
  return undefined;
});
