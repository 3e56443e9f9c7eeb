import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, type Day } from '#shared/domain/day.ts';
import { coveredUntil, coverWarning, letterOn, lettersOf, parseLetters } from '#shared/domain/letter-of-undertaking.ts';

const [first, second] = ['AD270326000001A:2026-04-01:2027-03-31', 'AD270327000002B:2027-04-01:2028-03-31'];
const gap = 'AD270427000003C:2027-04-10:2028-03-31';

test('letters are parsed in the order of their days', () => {
  expect(parseLetters(`${second}, ${first}`)).toEqual([
    { arn: 'AD270326000001A', fromDate: '2026-04-01', lastDate: '2027-03-31' },
    { arn: 'AD270327000002B', fromDate: '2027-04-01', lastDate: '2028-03-31' },
  ]);
  expect(parseLetters('')).toEqual([]);
});

test.each([
  ['AD27:2026-04-01:2027-03-31', 'is not an ARN'],
  ['AD270326000001A', 'must be ARN:first day:last day'],
  ['AD270326000001A:2026-04-01:2026-02-30', 'must be ARN:first day:last day'],
  ['AD270326000001A:2027-03-31:2026-04-01', 'must be ARN:first day:last day'],
  ['AD270326000001A:2026-04-01:2027-04-01', 'in one financial year only'],
  [`${first},AD270326000009A:2027-03-31:2027-03-31`, 'are valid on the same days'],
  [`${first},AD270326000001A:2027-04-01:2028-03-31`, 'named twice'],
])('%s is refused: %s', (text, reason) => {
  expect(() => parseLetters(text)).toThrow(reason);
});

test('letters of two States may be valid on the same days, and each is of the registration in its State', () => {
  const letters = parseLetters(`${first},AD290326000001A:2026-09-01:2027-03-31`);
  expect(lettersOf(letters, '27ZZZCA0001A1Z4').map(({ arn }) => arn)).toEqual(['AD270326000001A']);
  expect(lettersOf(letters, '29ZZZCA0001A1Z0').map(({ arn }) => arn)).toEqual(['AD290326000001A']);
  expect(lettersOf(letters, '33ZZZCA0001A1ZB')).toEqual([]);
});

test('a supply is covered on the first and the last day, and not outside', () => {
  const letters = parseLetters(`${first},${gap}`);
  const arnOn = (day: Day) => letterOn(letters, day)?.arn;
  expect(['2026-03-31', '2026-04-01', '2027-03-31', '2027-04-01', '2027-04-10'].map((day) => arnOn(day))).toEqual([
    undefined,
    'AD270326000001A',
    'AD270326000001A',
    undefined,
    'AD270427000003C',
  ]);
});

test('the operator is warned on fixed days before the cover ends, and daily once it has ended', () => {
  const letters = parseLetters(first);
  const days = Array.from({ length: 400 }, (_, index) => addDays('2026-04-01', index));
  const warned = days.flatMap((day) => coverWarning(letters, day) ?? []);
  expect(warned.filter(({ kind }) => kind === 'ends')).toEqual(
    [45, 30, 15, 7, 3, 2, 1, 0].map((daysLeft) => ({ kind: 'ends', lastDate: '2027-03-31', daysLeft })),
  );
  expect(warned.filter(({ kind }) => kind === 'ended')).toHaveLength(400 - 365);
  expect(coverWarning(parseLetters(`${first},${second}`), '2027-03-31')).toBeUndefined();
  expect(coverWarning([], '2026-06-01')).toBeUndefined();
});

test('whatever the letters, the cover of a day has no gap and ends before an uncovered day', () => {
  const chosen = fc.subarray([
    first,
    second,
    gap.replace('AD270427', 'AD270528').replaceAll('2028', '2029').replaceAll('2027', '2028'),
  ]);
  fc.assert(
    fc.property(chosen, fc.integer({ min: 0, max: 1500 }), (texts, offset) => {
      const letters = parseLetters(texts.join(','));
      const day = addDays('2026-01-01', offset);
      const until = coveredUntil(letters, day);
      expect(until === undefined).toBe(letterOn(letters, day) === undefined);
      if (until === undefined) return;
      for (let each = day; each <= until; each = addDays(each, 1)) expect(letterOn(letters, each)).toBeDefined();
      expect(letterOn(letters, addDays(until, 1))).toBeUndefined();
    }),
  );
});
