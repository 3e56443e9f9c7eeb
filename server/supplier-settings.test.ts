import { expect, test } from 'vitest';
import { z } from 'zod';
import { readConfig } from '#shared/platform/read-config.ts';
import { supplierSettings } from './supplier-settings.ts';

const read = (name: string) => readConfig(z.object(supplierSettings), { env: { SUPPLIER_NAME: name } });

test('a supplier whose name documents cannot show is refused with the letter', () => {
  expect(read('ᱚᱠᱴᱨᱚᱭ').supplierName).toBe('ᱚᱠᱴᱨᱚᱭ');
  expect(() => read('Octroi 🙂')).toThrow(/SUPPLIER_NAME .* has “🙂” \(U\+1F642\), which documents can’t show/);
});
