import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGstn } from '#ship/standins/gstn/gstn.ts';
import { send } from '#ship/standins/testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'gstn-'));
const settings = { port: 0, clientId: 'octroi-local-gsp', clientSecret: 'gsp_sandbox_secret_0000', folder };
const start = () => startGstn(settings, () => Date.parse('2026-11-21T12:00:00+05:30'));
let standin: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  standin = await start();
});
afterAll(async () => {
  await standin.close();
  rmSync(folder, { recursive: true });
});

const gstin = '27ZZZCA0001A1Z4';
async function signIn() {
  const account = { gspappid: settings.clientId, gspappsecret: settings.clientSecret };
  const { body } = await send('POST', `${standin.url}/gsp/authenticate?grant_type=token`, undefined, account);
  return { authorization: `Bearer ${body['access_token']}`, gstin, user_name: 'api_user', password: 'secret' };
}
const register = async (document: object, headers: Record<string, string> = {}) =>
  (await send('POST', `${standin.url}/ei/api/invoice`, document, { ...(await signIn()), ...headers })).body;

const place = { Addr1: '1 MG Road', Loc: 'Mumbai', Pin: 400_053, Stcd: '27' };
const line = {
  SlNo: '1',
  PrdDesc: 'Service',
  IsServc: 'Y',
  HsnCd: '998319',
  UnitPrice: 1000,
  TotAmt: 1000,
  Discount: 0,
  AssAmt: 1000,
  GstRt: 18,
  IgstAmt: 0,
  CgstAmt: 90,
  SgstAmt: 90,
  TotItemVal: 1180,
};
const good = {
  Version: '1.1',
  TranDtls: { TaxSch: 'GST', SupTyp: 'B2B' },
  DocDtls: { Typ: 'INV', No: 'G/1', Dt: '21/11/2026' },
  SellerDtls: { Gstin: gstin, LglNm: 'Zenith Sample', ...place },
  BuyerDtls: { Gstin: '27ZZZPA0002B1ZA', LglNm: 'Asha Sample', Pos: '27', ...place },
  ItemList: [line],
  ValDtls: { AssVal: 1000, CgstVal: 90, SgstVal: 90, TotInvVal: 1180 },
};
const withLine = (change: object) => ({ ...good, ItemList: [{ ...line, ...change }] });

test.each([
  ['2140', { ...good, Version: '1.03' }],
  ['2140', { ...good, DocDtls: { ...good.DocDtls, No: '01' } }],
  ['2143', { ...good, SellerDtls: { ...good.SellerDtls, Gstin: '29ZZZCA0001A1Z0' } }],
  ['2172', withLine({ IgstAmt: 180, CgstAmt: 0, SgstAmt: 0 })],
  ['2176', withLine({ HsnCd: '9983' })],
  ['2182', { ...good, ValDtls: { ...good.ValDtls, AssVal: 1002 } }],
  ['2189', { ...good, ValDtls: { ...good.ValDtls, TotInvVal: 1182 } }],
  ['2193', withLine({ Discount: 5 })],
  ['3028', { ...good, BuyerDtls: { ...good.BuyerDtls, Gstin: '32ZZZCA0001A1ZD' } }],
  ['3029', { ...good, BuyerDtls: { ...good.BuyerDtls, Gstin: '33ZZZCA0001A1ZB' } }],
  ['3074', { ...good, BuyerDtls: { ...good.BuyerDtls, Gstin: '07ZZZCA0001A1Z6' } }],
])('the portal finds %s', async (code, document) => {
  const response = await register(document);
  expect(response).toMatchObject({ success: false });
  expect(response['message']).toMatch(new RegExp(`^${code} : `));
});

test('a difference of one rupee is accepted, and a zone bears IGST inside the State', async () => {
  const near = { ...good, DocDtls: { ...good.DocDtls, No: 'G/2' }, ValDtls: { ...good.ValDtls, TotInvVal: 1181 } };
  expect(await register(near)).toMatchObject({ success: true });
  const zone = { ...withLine({ IgstAmt: 180, CgstAmt: 0, SgstAmt: 0 }), TranDtls: { TaxSch: 'GST', SupTyp: 'SEZWP' } };
  expect(await register({ ...zone, DocDtls: { ...good.DocDtls, No: 'G/3' } })).toMatchObject({ success: true });
});

test('the IRN follows the published rule, with the number in capital letters', async () => {
  const response = await register({ ...good, DocDtls: { ...good.DocDtls, No: 'tpx/26-27/000001' } });
  // SHA-256 of 27ZZZCA0001A1Z42026-27INVTPX/26-27/000001
  expect(response['result']).toMatchObject({
    Irn: '3ed6fcd62d3518d8ad75100c44f9ce3d82203408b64934f4c4bb26de034a60d5',
  });
});

test('a registered document is a duplicate even after a restart', async () => {
  expect(await register(good)).toMatchObject({ success: true });
  await standin.close();
  standin = await start();
  expect(await register(good)).toMatchObject({
    success: false,
    message: '2150 : Duplicate IRN',
    result: [{ InfCd: 'DUPIRN', Desc: { AckDt: '2026-11-21 12:00:00' } }],
  });
});

test('login, header and token are required', async () => {
  expect((await register(good, { password: 'wrong' }))['message']).toMatch(/^1008/);
  expect((await register(good, { gstin: '' }))['message']).toMatch(/^1004/);
  expect((await send('POST', `${standin.url}/ei/api/invoice`, good)).status).toBe(401);
  expect((await send('GET', `${standin.url}/commonapi/v1.3/search?action=TP&gstin=${gstin}`)).status).toBe(401);
});
