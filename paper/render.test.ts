import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type InvoicePaper, renderInvoice } from '#paper/render.ts';

const paper: InvoicePaper = {
  number: 'OCT/26-27/000001',
  issuedOn: '21 Nov 2026',
  activationId: 'ACT-7K2M9QX4TB',
  paymentId: 'pay_LOCALTEST00001',
  placeOfSupply: '29 Karnataka',
  supplier: {
    name: 'Octroi Sample Private Limited',
    gstin: '27ZZZCA0001A1Z4',
    address: '1 MG Road, Andheri, Mumbai 400053',
    stateCode: '27',
    stateName: 'Maharashtra',
  },
  recipient: {
    name: 'Kaveri Traders',
    address: '14 Residency Road',
    city: 'Bengaluru',
    pin: '560025',
    gstin: null,
    stateCode: '29',
    stateName: 'Karnataka',
  },
  item: { description: 'Tax Lookup API, Growth plan', period: '21 Nov 2026 to 20 Dec 2026', sac: '998439' },
  taxableValue: '1,270.34',
  taxes: [{ name: 'IGST', rate: '18%', amount: '228.66' }],
  roundOff: null,
  total: '1,499.00',
  totalInWords: 'Rupees One Thousand Four Hundred Ninety-Nine Only',
};

test('the same data gives the same bytes', () => {
  expect(renderInvoice(paper).equals(renderInvoice(paper))).toBe(true);
});

test('data is text and never markup, whatever a customer calls himself', () => {
  const name = '#panic("no") *bold* $x$ <script> `code` \\ @ref';
  const pdf = renderInvoice({ ...paper, recipient: { ...paper.recipient, name } });
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.includes('/JavaScript')).toBe(false);
});

test.runIf(existsSync('/usr/bin/pdftotext'))('its text holds number, amounts and tax, with the rupee sign', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'paper-')), 'invoice.pdf');
  writeFileSync(file, renderInvoice(paper));
  const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
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
});
