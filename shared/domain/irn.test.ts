import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { irnOf, isIrnDocumentNumber } from '#shared/domain/irn.ts';

test.each([
  ['01AAAAA9999A19N', '2019-20', 'INV', 'ABC01234', '353c2677715ae97aa876a37262a38381a75c1d1184f6a803f703bb395971925f'],
  [
    '29AAFCC9980M1ZR',
    '2019-20',
    'INV',
    '2019-20/KA/1',
    '23f498ee41441ecad30f72ba5b9907506c3df70a17b0e0dff46b76a786400662',
  ],
  [
    '01AMBPG7773M002',
    '2022-23',
    'INV',
    'SINV-CFY-00067',
    '706daeccda0ef6f818da78f3a2a05a1288731057373002289b46c3229289a2e7',
  ],
  [
    '27AAACI1681G1ZP',
    '2026-27',
    'INV',
    'TPX/26-27/000001',
    'df3cb36b3a2ad0b3583b87959d9795b2d3b42ace256e9c5cd859dd8aeb7e7d53',
  ],
  [
    '27AAACI1681G1ZP',
    '2026-27',
    'CRN',
    'TPX/26-27/C0001',
    '88cc69b656b3cf499be191aa13498f823ff55f7f7d27eb6a14f76bb627b82740',
  ],
] as const)('%s %s %s %s', (supplierGstin, financialYear, documentType, documentNumber, irn) => {
  expect(irnOf({ supplierGstin, financialYear, documentType, documentNumber })).toBe(irn);
});

test('a number in lower case is the same document since June 2025, and was a different one before', () => {
  const parts = { supplierGstin: '01AMBPG7773M002', financialYear: '2022-23', documentType: 'INV' } as const;
  const beforeRule = createHash('sha256').update('01AMBPG7773M0022022-23INVg2qxhY').digest('hex');
  expect(beforeRule).toBe('68fb4fab44aee99fb23292478c4bd838e664837c9f1b04e3d9134ffed0b40b60');
  const irn = irnOf({ ...parts, documentNumber: 'g2qxhY' });
  expect(irn).toBe(irnOf({ ...parts, documentNumber: 'G2QXHY' }));
  expect(irn).not.toBe(beforeRule);
});

test.each(['0123', '/1', '-1', '', 'TPX/26-27/0000001'])('the invoice portal rejects %j', (documentNumber) => {
  expect(isIrnDocumentNumber(documentNumber)).toBe(false);
  const parts = { supplierGstin: '27AAACI1681G1ZP', financialYear: '2026-27', documentType: 'INV' } as const;
  expect(() => irnOf({ ...parts, documentNumber })).toThrow(RangeError);
});
