import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, test } from 'vitest';
import { fontCoverage } from '#shared/domain/font-coverage.ts';
import { unprintableIn } from '#shared/domain/printable.ts';
import type { DocumentPaper } from './document-paper.ts';
import { fontFamilies } from './fonts.ts';
import { renderPdf } from './render.ts';
import { testPaper as paper } from './test-paper.ts';

const renderDocument = (about: DocumentPaper): Promise<Buffer> => renderPdf(JSON.stringify(about));

test('the same data gives the same bytes', async () => {
  expect((await renderDocument(paper)).equals(await renderDocument(paper))).toBe(true);
});

test('data is always set as text, never as markup', async () => {
  const name = '#panic("no") *bold* $x$ <script> `code` \\ @ref';
  const pdf = await renderDocument({ ...paper, recipient: { ...paper.recipient, name } });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.includes('/JavaScript')).toBe(false);
});

/** The text of a PDF, page after page. */
async function textOf(pdf: Buffer): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const texts: string[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    texts.push(items.map((item) => ('str' in item ? item.str : '')).join(''));
  }
  return texts.join('\n');
}

test('the PDF contains number, amounts and taxes, with the rupee sign', async () => {
  const text = await textOf(await renderDocument(paper));
  for (const part of [
    'Tax invoice',
    'OCT/26-27/000001',
    '₹1,270.34',
    'IGST',
    '₹228.66',
    '₹1,499.00',
    '998439',
    '29 Karnataka',
  ]) {
    expect(text).toContain(part);
  }
  expect(text).not.toContain('SGST');
});

test('the round-off line is between the taxes and the total, and is omitted when nothing was rounded', async () => {
  expect(await textOf(await renderDocument({ ...paper, roundOff: '-0.01' }))).toMatch(
    /₹228\.66\s*Round off\s*-0\.01\s*Total/,
  );
  expect(await textOf(await renderDocument(paper))).not.toContain('Round off');
});

/** How many characters of a PDF have no glyph in any font and are drawn as boxes. */
async function boxesIn(pdf: Buffer): Promise<number> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { fnArray, argsArray } = await (await document.getPage(1)).getOperatorList();
  const shown: unknown[] = fnArray.flatMap((operator, index) => (operator === OPS.showText ? argsArray[index] : []));
  // The first glyph of every font is its box (.notdef).
  return shown.flat().filter((glyph) => isGlyph(glyph) && glyph.originalCharCode === 0).length;
}

function isGlyph(value: unknown): value is { originalCharCode: number } {
  return typeof value === 'object' && value !== null && 'originalCharCode' in value;
}

/** The names of a PDF's fonts, without the tags of their subsets. */
const fontsIn = (pdf: Buffer): string[] =>
  Array.from(pdf.toString('latin1').matchAll(/\/BaseFont \/[A-Z]{6}\+([\w-]+)/g), ([, name = '']) => name);

/** Kaveri Traders, and letters that a language adds to its script. */
const namesByScript = {
  Devanagari: 'कावेरी ट्रेडर्स',
  Bengali: 'কাবেরী ট্রেডার্স',
  Gujarati: 'કાવેરી ટ્રેડર્સ',
  Gurmukhi: 'ਕਾਵੇਰੀ ਟ੍ਰੇਡਰਜ਼',
  Kannada: 'ಕಾವೇರಿ ಟ್ರೇಡರ್ಸ್',
  Malayalam: 'കാവേരി ട്രേഡേഴ്സ്',
  Odia: 'କାବେରୀ ଟ୍ରେଡର୍ସ',
  Tamil: 'காவேரி டிரேடர்ஸ்',
  Telugu: 'కావేరి ట్రేడర్స్',
  Assamese: 'কাৱেৰী ট্ৰেডাৰ্ছ',
  'Ol Chiki': 'ᱠᱟᱵᱮᱨᱤ ᱴᱨᱮᱰᱟᱨᱥ',
  'Meitei Mayek': 'ꯀꯥꯚꯦꯔꯤ ꯇ꯭ꯔꯦꯗꯔꯁ',
  Urdu: 'کاویری ٹریڈرز',
  Kashmiri: 'کٲشُر ۆ ۄ ؤ ێ',
  Sindhi: 'سنڌي ٻ ڄ ڏ ڳ ڻ ۽',
  Cyrillic: 'Кавери Трейдерс',
  Greek: 'Καβέρι Τρέιντερς',
};

test('a name in each script of the scheduled languages of India, and in Cyrillic and Greek, is drawn with its own glyphs', async () => {
  const names = Object.values(namesByScript);
  expect(names.filter((name) => unprintableIn(name) !== undefined)).toEqual([]);
  const pdf = await renderDocument({ ...paper, recipient: { ...paper.recipient, lines: names } });
  expect(await boxesIn(pdf)).toBe(0);
  expect(new Set(fontsIn(pdf).map((name) => name.replace(/-.*/, '')))).toEqual(
    new Set(fontFamilies.map(({ name }) => name.replaceAll(' ', ''))),
  );
});

test('a character that no font of ours has is a visible substitute, in fonts of ours alone, and the PDF stays PDF/A', async () => {
  // Armenian and an emoji: many machines have fonts for them.
  const pdf = await renderDocument({ ...paper, recipient: { ...paper.recipient, name: 'Ոսկի 🙂 Kaveri' } });
  expect(await textOf(pdf)).toContain('���� � Kaveri');
  expect(await boxesIn(pdf)).toBe(0);
  expect(new Set(fontsIn(pdf).map((name) => name.replace(/-.*/, '')))).toEqual(new Set(['NotoSans']));
  expect(pdf.includes('pdfaid')).toBe(true);
});

test('every character that the rules allow is drawn', async () => {
  const codes = fontCoverage.flatMap((ranges) =>
    ranges.split(' ').flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map((each) => Number.parseInt(each, 16));
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    }),
  );
  const letters = codes
    .map((code) => String.fromCodePoint(code))
    .filter((letter) => unprintableIn(letter) === undefined);
  expect(letters).toHaveLength(codes.length);
  const pdf = await renderDocument({ ...paper, notes: [letters.join(' ')] });
  // PDF/A has no boxes.
  expect(pdf.includes('pdfaid')).toBe(true);
});

/** How many shapes the first page of a PDF draws. */
async function shapesIn(pdf: Buffer): Promise<number> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { fnArray } = await (await document.getPage(1)).getOperatorList();
  return fnArray.filter((operator) => operator === OPS.constructPath).length;
}

test('the text of a signed QR code is drawn as a code', async () => {
  const registration = { irn: 'a'.repeat(64), ackNumber: '1', ackAt: '26 Nov 2026', signedQrCode: 'x.y.z' };
  const plain = await shapesIn(await renderDocument(paper));
  expect(await shapesIn(await renderDocument({ ...paper, registration }))).toBeGreaterThan(plain);
});

/** Where the text of a page ends on the right, in points. */
async function rightEdge(pdf: Buffer): Promise<number> {
  const document = await getDocument({ data: new Uint8Array(pdf), verbosity: 0 }).promise;
  const { items } = await (await document.getPage(1)).getTextContent();
  return Math.max(
    ...items.map((item) => ('str' in item && item.str !== '' ? Number(item.transform[4]) + item.width : 0)),
  );
}

test('a word of 100 letters without a space stays on the paper, wherever it stands', async () => {
  const long = 'W'.repeat(100);
  const wide = {
    ...paper,
    facts: [...paper.facts, { name: 'Purchase order', value: long }],
    supplier: { ...paper.supplier, name: long, address: long, contact: [long] },
    recipient: { name: long, lines: [long], gstin: null },
    item: { description: long, period: '30 days', sac: '998439' },
    notes: [long],
  };
  const { item: _item, ...lined } = wide;
  const line = {
    description: long,
    code: '61091000',
    quantity: '1 PCS',
    unitPrice: '1.00',
    discount: null,
    rate: '5%',
  };
  const pageWidth = 595.28;
  for (const each of [wide, { ...lined, lines: [{ ...line, taxableValue: '1.00' }] }])
    expect(await rightEdge(await renderDocument(each))).toBeLessThanOrEqual(pageWidth - 18 * (72 / 25.4) + 1);
});

test.each([
  'ಕ' + 'ೋ'.repeat(199),
  'क्'.repeat(150) + 'क',
  'க' + 'ோ'.repeat(199),
  'ক' + 'ো'.repeat(199),
  'क' + '\u0951'.repeat(299),
])('a word too long for the shaper does not end the process: %#', async (name) => {
  const pdf = await renderDocument({ ...paper, recipient: { ...paper.recipient, name } });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
});
