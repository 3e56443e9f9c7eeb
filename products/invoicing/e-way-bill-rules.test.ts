import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gstinCheckCharacter } from '#shared/domain/gstin.ts';
import { createGsp, type Gsp } from '#products/gsp/gsp.ts';
import { checkAndCompute } from '#products/invoicing/check-and-compute.ts';
import { isTransporterId, railReceiptForms, vehicleForms } from '#products/invoicing/e-way-bill-forms.ts';
import { eWayBillExample, eWayBillRequest } from '#products/invoicing/e-way-bill-request.ts';
import { eWayBillFaults } from '#products/invoicing/e-way-bill-rules.ts';
import { eWayBillOf } from '#products/invoicing/e-way-bill.ts';
import { startTestGsp, type TestGsp } from '#products/test-gsp.ts';
import { testNow } from '#products/test-products.ts';

let standin: TestGsp;
let gsp: Gsp;
beforeAll(async () => {
  standin = await startTestGsp();
  gsp = createGsp(standin.settings, testNow);
});
afterAll(() => standin.stop());

const today = '2026-11-21';
const requestWith = (change: object) => eWayBillRequest.parse({ ...eWayBillExample, ...change });

/** Our refusals of a request, and those of the e-way bill system when it gets the bill nevertheless. */
async function refusals(change: object) {
  const request = requestWith(change);
  const ours = eWayBillFaults(request, today);
  const { eWayBill: body } = eWayBillOf(request, checkAndCompute(request, today));
  const headers = { gstin: request.supplier.gstin, user_name: 'kaveri', password: 'secret' };
  const response = await gsp('The e-way bill system', { path: '/ewb/ewayapi', method: 'POST', headers, body });
  return { ours, theirs: response.ok ? [] : response.errors.map(({ code }) => code) };
}

const { recipient, transport: road } = eWayBillExample;
const { supplier } = eWayBillExample;
const port = { stateCode: '33', address: { line1: '5 Port Road', city: 'Chennai', pin: '600001' } };
const shipTo = (change: object) => ({ shipTo: { ...port, ...change } });
const transport = (change: object) => ({ transport: { ...road, ...change } });
const rail = { mode: 'rail', vehicleNumber: undefined, documentNumber: 'FSBC123456789', documentDate: '2026-11-02' };
const unit = { ...recipient, gstin: '27ZZZFA0003C2ZR', sez: true, address: { ...recipient.address, pin: '400096' } };
const abroad = { overseas: true, name: 'Sample Inc.', address: { line1: '1 Main St', city: 'Boston', country: 'US' } };
const samePin = { recipient: { ...recipient, gstin: '27ZZZPA0002B1ZA', address: supplier.address } };

test.each<[string, object]>([
  ['to another State', {}],
  ['to a unit of a Special Economic Zone', { recipient: unit }],
  ['to a zone in another State than the destination', { recipient: unit, ...shipTo({}) }],
  ['abroad, through a port', { recipient: abroad, ...shipTo({ gstin: '33ZZZCA0001A1ZB', name: 'Port agent' }) }],
  ['within one PIN', { ...samePin, ...transport({ distanceKm: 100 }) }],
  ['by rail', transport(rail)],
  ['by ship', transport({ ...rail, mode: 'ship', documentNumber: 'BL/26-1' })],
  ['by a transporter who adds the vehicle', transport({ vehicleNumber: undefined, transporterId: '29ZZZCA0001A1Z0' })],
  ...vehicleForms.map(
    ({ example }) => [`in ${example}`, transport({ vehicleNumber: example })] satisfies [string, object],
  ),
  ...['MH011234', 'KA05A1234', 'DL01ABC1234', 'RJ141A1234', 'TR01A1234', 'NP12345'].map(
    (vehicleNumber) => [`in ${vehicleNumber}`, transport({ vehicleNumber })] satisfies [string, object],
  ),
  ...railReceiptForms.map(
    ({ example }) => [`with ${example}`, transport({ ...rail, documentNumber: example })] satisfies [string, object],
  ),
  ['with a parcel receipt in digits alone', transport({ ...rail, documentNumber: 'PSBC1234567890' })],
])('goods %s are refused by neither', async (_, change) => {
  expect(await refusals(change)).toEqual({ ours: [], theirs: [] });
});

test('a zone is billed as another country, and its goods travel to its State', () => {
  const request = requestWith({ recipient: unit });
  const { eWayBill } = eWayBillOf(request, checkAndCompute(request, today));
  expect(eWayBill).toMatchObject({ toGstin: unit.gstin, toStateCode: 99, actToStateCode: 27, igstValue: 5000 });
});

test('a ship has the terms of over-dimensional cargo', () => {
  const request = requestWith(transport({ ...rail, mode: 'ship', distanceKm: 980 }));
  expect(eWayBillOf(request, checkAndCompute(request, today))).toMatchObject({
    validForDays: 49,
    eWayBill: { vehicleType: 'O' },
  });
});

test.each<[string, string, object]>([
  ['231', '/recipient/name', { recipient: { ...recipient, name: undefined } }],
  ['372', '/shipTo', { recipient: abroad }],
  ['213', '/recipient/address', { recipient: { ...recipient, address: undefined } }],
  ['214', '/recipient/address/pin', { recipient: { ...recipient, address: { ...recipient.address, pin: '12' } } }],
  ['857', '/shipTo/stateCode', shipTo({ stateCode: '96' })],
  ['857', '/shipTo/stateCode', shipTo({ stateCode: '28' })],
  ['858', '/shipTo/address/pin', shipTo({ stateCode: '29' })],
  ['710', '/recipient/address/pin', { recipient: { ...recipient, address: { ...recipient.address, pin: '600001' } } }],
  ['710', '/supplier/address/pin', { supplier: { ...supplier, address: { ...supplier.address, pin: '560001' } } }],
  ['609', '/shipTo/gstin', shipTo({ gstin: '33ZZZCA0001A1ZC' })],
  ['618', '/shipTo/gstin', shipTo({ gstin: recipient.gstin })],
  ['721', '/transport/distanceKm', { ...samePin, ...transport({ distanceKm: 0 }) }],
  ['702', '/transport/distanceKm', { ...samePin, ...transport({ distanceKm: 101 }) }],
  ['619', '/transport/vehicleNumber', transport({ vehicleNumber: undefined })],
  ...['DL1AB123', 'mh01ab1234', 'MH 01 AB 1234', 'XX01AB1234', 'MH01ABCD1234', 'MH01AB123', '22BH1234AA', 'TM1'].map(
    (vehicleNumber) =>
      ['225', '/transport/vehicleNumber', transport({ vehicleNumber })] satisfies [string, string, object],
  ),
  ['634', '/transport/overDimensional', transport({ ...rail, overDimensional: true })],
  ['222', '/transport/transporterId', transport({ transporterId: 'DTDC' })],
  ['222', '/transport/transporterId', transport({ transporterId: '29ZZZCA0001A1Z1' })],
  ['222', '/transport/transporterId', transport({ transporterId: '88ZZZCA0001A1Z4' })],
  ['385', '/transport/documentNumber', transport({ ...rail, documentNumber: undefined })],
  ['385', '/transport/documentDate', transport({ ...rail, documentDate: undefined })],
  ['223', '/transport/documentNumber', transport({ ...rail, mode: 'air', documentNumber: 'AWB 12' })],
  ...['123456789', 'RR1', 'FSJWT12345678', 'PNZM123456789', 'LSBC123456789'].map(
    (documentNumber) =>
      ['823', '/transport/documentNumber', transport({ ...rail, documentNumber })] satisfies [string, string, object],
  ),
  ['362', '/transport/documentDate', transport({ documentDate: '2026-11-01' })],
])('%s at %s is refused by us first, with the code of the portal (case %#)', async (portalCode, pointer, change) => {
  const { ours, theirs } = await refusals(change);
  expect(ours).toMatchObject([{ in: 'body', pointer, portalCode }]);
  expect(theirs).toContain(portalCode);
});

test('one mistyped character of a transporter’s id is found', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{2}[A-Z]{5}[0-9]{4}[A-Z][1-9]Z$/), fc.nat(14), (first14, index) => {
      const id = first14 + gstinCheckCharacter(first14);
      const other = id.charAt(index) === '1' ? '2' : '1';
      expect(isTransporterId(id)).toBe(true);
      expect(isTransporterId(id.slice(0, index) + other + id.slice(index + 1))).toBe(false);
    }),
  );
});
