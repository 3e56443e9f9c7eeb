import { expect, test } from 'vitest';
import { testDocument } from '#shared/domain/test-document.ts';
import { creditNoteOf } from './content.ts';

test('the last credit note returns no tax of what a commercial credit note returned before it', () => {
  const { content: invoice } = testDocument({ totalPaise: 118_000 });
  const note = (before: Parameters<typeof creditNoteOf>[1], end: '10-31' | '11-30') =>
    creditNoteOf(invoice, before, 59_000, invoice.refersTo, 'Unused days', { today: '2027-11-15', end });
  const commercial = note([], '10-31');
  expect(commercial).toMatchObject({ withoutTax: true, split: { taxablePaise: 59_000, taxPaise: 0 } });
  // The operator sets a later end in between.
  expect(note([commercial], '11-30').split).toMatchObject({
    taxablePaise: 50_000,
    igstPaise: 9_000,
    totalPaise: 59_000,
  });
});
