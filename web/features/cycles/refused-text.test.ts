import { expect, test } from 'vitest';
import { gapText, refusedText } from '#web/features/cycles/refused-text.ts';

const today = '2026-11-23';

test('refused calls are said plainly, with the end where one is known', () => {
  expect(refusedText(null, today)).toBeUndefined();
  expect(refusedText({ reason: 'daily-quota', until: '2026-11-24' }, today)).toBe('Calls are refused until 00:00 IST');
  expect(refusedText({ reason: 'no-plan', until: '2026-12-07' }, today)).toBe(
    'Calls are refused until 7 Dec, 00:00 IST',
  );
  expect(refusedText({ reason: 'no-plan', until: null }, today)).toBe('Calls are refused: no plan is running');
  expect(refusedText({ reason: 'monthly-quota', until: null }, today)).toBe(
    'Calls are refused: the quota of the plan is used up',
  );
});

test('the days without a plan before the next one are named', () => {
  expect(gapText(today, '2026-12-07')).toBe('Calls are refused from 23 Nov to 6 Dec');
  expect(gapText(today, '2026-11-24')).toBe('Calls are refused until 00:00 IST');
  expect(gapText(today, today)).toBeUndefined();
});
