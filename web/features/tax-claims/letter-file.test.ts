import { expect, test } from 'vitest';
import { maxLetterBytes } from '#shared/domain/tax-claim.ts';
import { readLetter } from '#web/features/tax-claims/letter-file.ts';
import { blobOf } from '#web/forms/base64.ts';

const pdf = (size: number) =>
  new Uint8Array([...Buffer.from('%PDF-'), ...Array.from({ length: size - 5 }, (_, at) => at % 256)]);

test('a letter survives the way to the server and back', async () => {
  const bytes = pdf(50_000);
  const chosen = await readLetter(new File([bytes], 'a/b.pdf'));
  if (!chosen.ok) throw new Error('the letter was refused');
  expect(chosen.name).toBe('a_b.pdf');
  expect(Buffer.from(chosen.letter, 'base64').equals(bytes)).toBe(true);
  const back = await blobOf(chosen.letter, 'application/pdf').arrayBuffer();
  expect(Buffer.from(back).equals(bytes)).toBe(true);
});

test('a file that is too large or of another type is refused before it is sent', async () => {
  expect(await readLetter(new File([pdf(maxLetterBytes + 1)], 'a.pdf'))).toEqual({ ok: false, fault: 'tooLarge' });
  expect(await readLetter(new File(['<html>'], 'a.pdf'))).toEqual({ ok: false, fault: 'wrongType' });
});
