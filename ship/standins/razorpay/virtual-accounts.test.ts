import { expect, test } from 'vitest';
import { customer } from '#ship/standins/testing-mandates.ts';
import { startStandins } from '#ship/standins/standins.ts';
import { send, startForTest, startReceiver, temporaryFolder, testConfig } from '#ship/standins/testing.ts';

const payer = { ifsc: 'HDFC0000053', account_number: '50100012345678' };

async function startAccount(more: object = {}) {
  const { received, url } = await startReceiver();
  const started = await startForTest({ webhookUrl: url });
  const { api, control } = started;
  const customerId = String((await api('POST', '/customers', customer)).body['id']);
  const { body: account } = await api('POST', '/virtual_accounts', {
    receivers: { types: ['bank_account'] },
    customer_id: customerId,
    description: 'Kaveri Textiles',
    notes: { customer: 'CUS-1' },
    ...more,
  });
  const path = `/virtual_accounts/${String(account['id'])}`;
  const credit = (fields: object) => control('POST', `${path}/credit`, fields);
  return { ...started, account, credit, customerId, path, received };
}

test('a virtual account has a bank account of sixteen digits, and is found again', async () => {
  const { account, api, customerId, path } = await startAccount();
  expect(account).toEqual({
    id: expect.stringMatching(/^va_[A-Za-z0-9]{14}$/),
    name: 'Octroi',
    entity: 'virtual_account',
    status: 'active',
    description: 'Kaveri Textiles',
    amount_expected: null,
    notes: { customer: 'CUS-1' },
    amount_paid: 0,
    customer_id: customerId,
    close_by: null,
    closed_at: null,
    created_at: expect.any(Number),
    receivers: [
      {
        id: expect.stringMatching(/^ba_/),
        entity: 'bank_account',
        ifsc: 'RATN0VAAPIS',
        bank_name: 'RBL Bank',
        name: 'Octroi',
        notes: [],
        account_number: expect.stringMatching(/^\d{16}$/),
      },
    ],
  });
  expect((await api('GET', path)).body).toEqual(account);
  expect((await api('GET', '/virtual_accounts')).body).toMatchObject({ count: 1 });
});

test.each([
  [{ receivers: {} }, 'The receivers.types field is required.'],
  [{ receivers: { types: ['qr_code'] } }, 'The selected receivers.types is invalid.'],
  [{ customer_id: 'cust_AAAAAAAAAAAAAA' }, 'The id provided does not exist'],
  [{ allowed_payers: [] }, 'There must be 1 to 10 allowed payers.'],
  [{ allowed_payers: [{ type: 'bank_account', bank_account: { ...payer, ifsc: 'HDFC' } }] }, 'The ifsc is invalid.'],
])('refuses an account with %j: %s', async (more, description) => {
  expect((await startAccount(more)).account).toMatchObject({ error: { description } });
});

test('a credit is a captured payment without an order, with the payer and the UTR', async () => {
  const { api, credit, customerId, path, received } = await startAccount();
  const { body } = await credit({ amount: 250_000, mode: 'RTGS', utr: 'HDFCR52026112800001', payer });
  expect(body).toMatchObject({
    method: 'bank_transfer',
    status: 'captured',
    order_id: null,
    amount: 250_000,
    customer_id: customerId,
    fee: 5900,
    tax: 900,
  });
  expect((await api('GET', `/payments/${String(body['id'])}/bank_transfer`)).body).toMatchObject({
    entity: 'bank_transfer',
    mode: 'RTGS',
    bank_reference: 'HDFCR52026112800001',
    payer_bank_account: { ...payer, name: 'Kaveri Textiles' },
    virtual_account_id: path.split('/').at(-1),
  });
  expect((await api('GET', path)).body).toMatchObject({ amount_paid: 250_000, status: 'active' });
  expect((await api('GET', `${path}/payments`)).body).toMatchObject({ count: 1, items: [{ id: body['id'] }] });
  await expect
    .poll(() => received.map(({ event }) => event))
    .toEqual(['virtual_account.created', 'payment.authorized', 'payment.captured', 'virtual_account.credited']);
  expect(JSON.parse(received[3]?.raw ?? '')).toMatchObject({
    contains: ['payment', 'virtual_account', 'bank_transfer'],
    payload: { virtual_account: { entity: { amount_paid: 250_000 } }, payment: { entity: { id: body['id'] } } },
  });
});

test('a credit is settled less its fee', async () => {
  const { control, credit } = await startAccount();
  await credit({ amount: 250_000 });
  expect((await control('POST', '/settlements')).body).toMatchObject({ amount: 250_000 - 5900 });
});

test.each([
  [{ mode: 'UPI' }, 400],
  [{ mode: 'IMPS', payer: null }, 400],
  [{ nre: true }, 400],
  [{ mode: 'IMPS' }, 200],
] as const)('a refund of a transfer of %j answers %i', async (fields, status) => {
  const { api, credit } = await startAccount();
  const { body } = await credit({ amount: 10_000, ...fields });
  const refund = await api('POST', `/payments/${String(body['id'])}/refund`, {});
  expect(refund.status).toBe(status);
  expect((await api('GET', `/payments/${String(body['id'])}`)).body).toMatchObject({
    status: status === 200 ? 'refunded' : 'captured',
  });
});

test('only allowed payers may pay, and others once they are added', async () => {
  const { api, credit, path } = await startAccount({
    allowed_payers: [{ type: 'bank_account', bank_account: payer }],
  });
  const other = { ifsc: 'ICIC0000001', account_number: '000105001234' };
  expect((await credit({ amount: 10_000, payer })).status).toBe(200);
  expect((await credit({ amount: 10_000, payer: other })).status).toBe(400);
  expect((await credit({ amount: 10_000, mode: 'UPI' })).status).toBe(400);
  const added = await api('POST', `${path}/allowed_payers`, { type: 'bank_account', bank_account: other });
  expect(added.body).toMatchObject({ allowed_payers: [{ bank_account: payer }, { bank_account: other }] });
  expect((await credit({ amount: 10_000, payer: other })).status).toBe(200);
});

test('a closed account takes no money; close_by closes it by itself', async () => {
  const { api, control, credit, path, received } = await startAccount({
    close_by: Math.floor(Date.now() / 1000) + 86_400,
  });
  await control('POST', '/clock', { advanceMs: 86_401_000 });
  expect((await api('GET', path)).body).toMatchObject({ status: 'closed', closed_at: expect.any(Number) });
  expect((await credit({ amount: 10_000 })).status).toBe(400);
  expect((await api('POST', `${path}/close`)).status).toBe(400);
  await expect.poll(() => received.at(-1)?.event).toBe('virtual_account.closed');
});

const read = async (url: string, path: string) => (await send('GET', `${url}/standin${path}`)).body['items'];

test('customers, accounts, transfers and mandates survive a restart', async () => {
  const dataDir = temporaryFolder();
  const first = await startForTest({ dataDir });
  const { body: owner } = await first.api('POST', '/customers', customer);
  const token = { max_amount: 500_000, frequency: 'monthly' };
  const order = await first.createOrder(5000, { customer_id: owner['id'], method: 'upi', token });
  await first.control('POST', '/pay', { order_id: order.id, method: 'upi', customer_id: owner['id'] });
  const { body: account } = await first.api('POST', '/virtual_accounts', { receivers: { types: ['bank_account'] } });
  await first.control('POST', `/virtual_accounts/${String(account['id'])}/credit`, { amount: 10_000, mode: 'UPI' });
  const kept = [await read(first.razorpayUrl, '/tokens'), await read(first.razorpayUrl, '/virtual_accounts')];
  await first.standins.close();
  const second = await startStandins(testConfig(dataDir));
  try {
    const url = second.razorpayUrl;
    expect([await read(url, '/tokens'), await read(url, '/virtual_accounts')]).toEqual(kept);
    expect(kept).toMatchObject([[{ recurring_details: { status: 'confirmed' } }], [{ amount_paid: 10_000 }]]);
  } finally {
    await second.close();
  }
});
