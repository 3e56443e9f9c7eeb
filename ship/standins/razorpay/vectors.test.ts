import { expect, test } from 'vitest';
import { basicAuthHeader, hasKeyPair } from '#ship/standins/razorpay/basic-auth.ts';
import { checkoutSignature, webhookSignature } from '#ship/standins/razorpay/signature.ts';

const docsSecret = 'EnLs21M47BllR3X8PSFtjtbd';

test('basic authentication is the base64 of key and secret, in the exact spelling', () => {
  const header = 'Basic cnpwX3Rlc3RfTE9DQUwwMDAwMDAwMDE6cnpwX3NhbmRib3hfc2VjcmV0XzAwMDA=';
  const [id, secret] = ['rzp_test_LOCAL000000001', 'rzp_sandbox_secret_0000'] as const;
  expect(basicAuthHeader(id, secret)).toBe(header);
  expect(hasKeyPair(header, id, secret)).toBe(true);
  for (const wrong of [
    undefined,
    '',
    header.replace('Basic', 'basic'),
    header.replace('Basic', 'BASIC'),
    `"${header}"`,
  ]) {
    expect(hasKeyPair(wrong, id, secret)).toBe(false);
  }
});

test.each([
  [
    docsSecret,
    'order_IEIaMR65cu6nz3',
    'pay_IH4NVgf4Dreq1l',
    '0d4e745a1838664ad6c9c9902212a32d627d68e917290b0ad5f08ff4561bc50f',
  ],
  [
    docsSecret,
    'pay_IH4NVgf4Dreq1l',
    'order_IEIaMR65cu6nz3',
    '830f3a576d91825b7e9292098c4590305a27f074c50b94f61f9579390928cb6a',
  ],
  [
    'rzp_sandbox_secret_0000',
    'order_LOCALTEST00001',
    'pay_LOCALTEST00001',
    'd4eb43877bd0b285030ac891102e0126e9de2ca5d12f3f293c2fae4cf611e2e8',
  ],
])('the checkout signature with %s of %s and %s matches the documentation', (secret, order, payment, signature) => {
  expect(checkoutSignature(secret, order, payment)).toBe(signature);
});

const sign = (text: string) => webhookSignature('whsec_local_1', text);

test('the webhook signature is that of the raw bytes', () => {
  const body =
    '{"entity":"event","account_id":"acc_LOCALTEST00001","event":"payment.captured","contains":["payment"],"payload":{"payment":{"entity":{"id":"pay_LOCALTEST00001","entity":"payment","amount":117882,"currency":"INR","status":"captured","order_id":"order_LOCALTEST00001","method":"card","captured":true}}},"created_at":1767225600}';
  expect(Buffer.byteLength(body)).toBe(325);
  expect(sign(body)).toBe('58c876dd4fd4da73cc5d48a274b3ecd78fe93ba29da7db567a91daf1fd3b9690');
  expect(sign(JSON.stringify(JSON.parse(body), null, 2))).toBe(
    '0064fe27ee2bb240c0053c1a72970383eaeb39d612e037c73f062c56e6706d7b',
  );
  expect(sign('{"name":"मोहन ₹"}')).toBe('24777d46c171758b9f77fc50ecf244f8c6c4fb503a7ac379398524c0a083dd98');
});
