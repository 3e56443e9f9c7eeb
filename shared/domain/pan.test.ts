import { expect, test } from 'vitest';
import { parsePan } from '#shared/domain/pan.ts';

test('the fourth letter gives the holder type', () => {
  expect(parsePan('ZZZCA0001A')).toEqual({ valid: true, pan: 'ZZZCA0001A', holder: { letter: 'C', type: 'Company' } });
  expect(parsePan('ZZZPA0002B')).toMatchObject({ holder: { type: 'Individual' } });
  expect(parsePan('ZZZFA0003C')).toMatchObject({ holder: { type: 'Firm or Limited Liability Partnership' } });
});

test('an unknown holder letter is not an error', () => {
  expect(parsePan('ZZZKA0001A')).toEqual({ valid: true, pan: 'ZZZKA0001A', holder: null });
});

test.each(['ZZZCA00001', 'ZZZCA001A', 'zzzca0001a', 'ZZZCA0001A ', '', '1ZZCA0001A', 'ZZZCA0001AA'])(
  '%j does not have the format of a PAN',
  (text) => {
    expect(parsePan(text)).toMatchObject({ valid: false, fault: 'shape' });
  },
);

test('the sequence 0000 is never assigned', () => {
  expect(parsePan('AAAAA0000A')).toMatchObject({ valid: false, fault: 'sequence' });
});
