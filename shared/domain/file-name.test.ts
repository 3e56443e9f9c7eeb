import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentDisposition, safeFileName } from './file-name.ts';

const odd = fc.constantFrom(
  '.',
  '..',
  '/',
  '\\',
  ' ',
  '\u202e',
  '\u200b',
  '\u0000',
  '\r\n',
  '"',
  ':',
  'CON',
  'é',
  'क्‍ष',
  '\ud800',
);
const names = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.oneof(odd, fc.string({ unit: 'grapheme', maxLength: 40 })), { maxLength: 20 })
    .map((parts) => parts.join('')),
);

test('a file name from outside is one segment of a path that every system can store', () => {
  fc.assert(
    fc.property(names, (name) => {
      const safe = safeFileName(name);
      expect(safe).not.toMatch(/[\p{Cc}\p{Cs}/\\<>:"|?*\u202a-\u202e\u200b]|^[. ]|[. ]$|^$/u);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(201);
      expect(safeFileName(safe)).toBe(safe);
    }),
  );
});

test.each([
  ['letter of approval (2026).pdf', 'letter of approval (2026).pdf'],
  ['अनुमोदन पत्र.pdf', 'अनुमोदन पत्र.pdf'],
  ['രജിസ്‌ട്രേഷൻ.pdf', 'രജിസ്‌ട്രേഷൻ.pdf'],
  ['..', 'file'],
  ['', 'file'],
  ['../../etc/passwd', '-..-etc-passwd'],
  ['tax-invoice-OCT/26-27/000001.pdf', 'tax-invoice-OCT-26-27-000001.pdf'],
  ['invoice\u202efdp.exe', 'invoicefdp.exe'],
  ['nul.pdf', '_nul.pdf'],
  ['COM1', '_COM1'],
  ['lpt9.pdf', '_lpt9.pdf'],
  [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(196)}.pdf`],
  [`${'प'.repeat(120)}.pdf`, `${'प'.repeat(65)}.pdf`],
])('the file name %j becomes %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});

test('a header that names a file has no character that ends it, whatever the name', () => {
  fc.assert(
    fc.property(names, (name) => {
      expect(contentDisposition('attachment', name)).toMatch(
        /^attachment; filename="[ !#-[\]-~]+"(; filename\*=UTF-8''[\w.!~%-]+)?$/,
      );
    }),
  );
});

test('a file name outside ASCII is in the header twice', () => {
  expect(contentDisposition('inline', 'बिल (1).pdf')).toBe(
    `inline; filename="___ (1).pdf"; filename*=UTF-8''%E0%A4%AC%E0%A4%BF%E0%A4%B2%20%281%29.pdf`,
  );
});
