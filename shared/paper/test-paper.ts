import type { DocumentPaper } from './document-paper.ts';

/** A tax invoice for tests. */
export const testPaper: DocumentPaper = {
  title: 'Tax invoice',
  number: 'OCT/26-27/000001',
  date: '2026-11-21',
  copy: 'Original for recipient',
  facts: [
    { name: 'Invoice number', value: 'OCT/26-27/000001' },
    { name: 'Date of issue', value: '21 Nov 2026' },
    { name: 'Place of supply', value: '29 Karnataka' },
    { name: 'Reverse charge', value: 'No' },
  ],
  supplier: {
    name: 'Octroi Sample Private Limited',
    gstin: '27ZZZCA0001A1Z4',
    address: '1 MG Road, Andheri, Mumbai 400053',
    stateCode: '27',
    stateName: 'Maharashtra',
    contact: ['CIN U72900MH2020PTC123456', 'billing@example.com · +91 22 0000 0000'],
  },
  recipientLabel: 'Billed to',
  recipient: {
    name: 'Kaveri Traders',
    lines: ['14 Residency Road', 'Bengaluru 560025, Karnataka (29)'],
    gstin: null,
  },
  item: { description: 'Tax Lookup API, Growth plan', period: '21 Nov – 20 Dec 2026 (30 days)', sac: '998439' },
  taxableValue: '1,270.34',
  taxes: [{ name: 'IGST', rate: '18%', amount: '228.66' }],
  roundOff: null,
  totalLabel: 'Total',
  total: '1,499.00',
  totalInWords: 'Rupees One Thousand Four Hundred Ninety-Nine Only',
  notes: ['Paid in full.'],
  signatory: null,
  closing: 'It needs no signature.',
  registration: null,
};

const line = (index: number) => ({
  description: `Goods ${index}`,
  code: '61091000',
  quantity: `${index} PCS`,
  unitPrice: '100.00',
  discount: null,
  rate: '18%',
  taxableValue: `${index}.00`,
});

/** The same invoice with this many lines: 15 ms of CPU time for a few, a second for 500. */
export function paperWithLines(count: number): DocumentPaper {
  const { item: _item, ...paper } = testPaper;
  return { ...paper, lines: Array.from({ length: count }, (_, index) => line(index + 1)) };
}
