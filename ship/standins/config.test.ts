import { expect, test } from 'vitest';
import { readConfig, refuseProduction } from '#ship/standins/config.ts';

test('the defaults suit a development machine', () => {
  const config = readConfig({});
  expect(config.google).toEqual({
    port: 4301,
    clientId: 'octroi-local.apps.googleusercontent.com',
    issuer: 'https://accounts.google.com',
  });
  expect(config.razorpay).toMatchObject({ port: 4302, keyId: 'rzp_test_LOCAL000000001' });
});

test('production is refused', () => {
  expect(() => readConfig({ NODE_ENV: 'production' })).toThrow('do not start when NODE_ENV is production');
  expect(() => refuseProduction({ NODE_ENV: 'production' })).toThrow('do not start');
  expect(() => refuseProduction({ NODE_ENV: 'test' })).not.toThrow();
});

test('all errors are reported at once', () => {
  const faulty = {
    STANDIN_GOOGLE_PORT: 'abc',
    RAZORPAY_KEY_ID: 'rzp_live_AAAAAAAAAAAAAA',
    RAZORPAY_WEBHOOK_URL: 'https://shop.example.com/hook',
  };
  expect(() => readConfig(faulty)).toThrow(
    /STANDIN_GOOGLE_PORT[\s\S]*RAZORPAY_KEY_ID: must be a test key[\s\S]*RAZORPAY_WEBHOOK_URL: must be an address on this machine/,
  );
});
