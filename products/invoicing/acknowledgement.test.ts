import { expect, test } from 'vitest';
import { readGspResponse } from '#products/gsp/gsp-response.ts';
import { acknowledgementIn } from '#products/invoicing/acknowledgement.ts';
import { checkAndCompute } from '#products/invoicing/check-and-compute.ts';
import { eInvoiceRequest, inv01Of } from '#products/invoicing/inv01.ts';
import { exampleRequest, partiesExample } from '#products/invoicing/invoice-request.ts';
import { createRegistrar } from '#products/invoicing/registrar.ts';

const irn = '3ed6fcd62d3518d8ad75100c44f9ce3d82203408b64934f4c4bb26de034a60d5';
const Desc = { AckNo: 112026110200017, AckDt: '2026-11-02 16:05:00', Irn: irn };
const duplicate = { InfCd: 'DUPIRN', Desc };
const wrapped = { success: false, message: '2150 : Duplicate IRN' };
const ErrorDetails = [{ ErrorCode: '2150', ErrorMessage: 'Duplicate IRN' }];
const asText = `{AckNo=112026110200017, AckDt=2026-11-02 16:05:00, Irn=${irn}}`;

const request = eInvoiceRequest.parse({ ...exampleRequest, ...partiesExample });
const document = inv01Of(request, checkAndCompute(request, exampleRequest.document.date));
const login = { gstin: '27ZZZCA0001A1Z4', username: 'kaveri', password: 'secret' };
const tooOld = { success: false, message: '2283 : IRN details cannot be provided' };

/** Registers a duplicate at a provider that responds with this; the portal no longer returns its registration. */
const register = (body: Record<string, unknown>, found: Record<string, unknown> = tooOld) =>
  createRegistrar(async (_, { method }) => readGspResponse(method === 'POST' ? body : found)).register(
    login,
    document,
    irn,
  );

test.each([
  ['as the result', { ...wrapped, result: [duplicate] }],
  ['beside a result without it', { ...wrapped, result: [{ InfCd: 'ADDNLNFO', Desc: '' }], info: [duplicate] }],
  ['with null for info', { ...wrapped, result: [duplicate], info: null }],
  ['not in a list', { ...wrapped, result: duplicate }],
  ['without a code of its kind', { ...wrapped, result: Desc }],
  [
    'with the number as a text',
    { ...wrapped, result: [{ ...duplicate, Desc: { ...Desc, AckNo: '112026110200017' } }] },
  ],
  ['with a description in JSON', { ...wrapped, result: [{ ...duplicate, Desc: JSON.stringify(Desc) }] }],
  ['as JSON altogether', { ...wrapped, result: JSON.stringify([duplicate]) }],
  ['as a text', { ...wrapped, result: [{ ...duplicate, Desc: asText }] }],
  ['in the portal’s own envelope', { Status: 0, ErrorDetails, InfoDtls: [duplicate] }],
  ['in the portal’s own envelope, as JSON', { Status: '0', ErrorDetails, InfoDtls: JSON.stringify([duplicate]) }],
  [
    'among the errors',
    { Status: 0, ErrorDetails: [...ErrorDetails, { ErrorCode: 'DUPIRN', ErrorMessage: asText }], InfoDtls: null },
  ],
  [
    'with other names and another form of the time',
    { ...wrapped, data: { irn, ack_no: 112026110200017, ack_date: '02/11/2026 04:05:00 PM' } },
  ],
])('a duplicate is acknowledged as before when the provider sends the acknowledgement %s', async (_, body) => {
  expect(await register(body)).toEqual({
    irn,
    ackNumber: '112026110200017',
    ackAt: '2026-11-02T10:35:00.000Z',
    status: 'active',
    signedInvoice: null,
    signedQrCode: null,
    duplicate: true,
  });
});

test('it is used whatever the portal’s reason for not returning the registration', async () => {
  const notFound = { success: false, message: '2154 : IRN details are not found' };
  expect(await register({ ...wrapped, result: [duplicate] }, notFound)).toMatchObject({ duplicate: true });
});

test('without an acknowledgement of this document the portal’s refusal stands', async () => {
  const other = { ...duplicate, Desc: { ...Desc, Irn: '0'.repeat(64) } };
  for (const result of [[], [other], [{ ...duplicate, Desc: { ...Desc, AckDt: '-' } }], '<html>'])
    await expect(register({ ...wrapped, result })).rejects.toMatchObject({ portalCode: '2283' });
});

const at = (AckDt: string) => acknowledgementIn({ ...Desc, AckDt }, irn)?.ackAt;

test('12 AM and 12 PM are midnight and noon', () => {
  expect(at('02/11/2026 12:05:00 AM')).toBe(at('2026-11-02 00:05:00'));
  expect(at('02-11-2026 12:05:00 PM')).toBe(at('2026-11-02T12:05:00'));
});
