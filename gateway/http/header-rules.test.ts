import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { headersForCaller, headersForProduct, isForProduct } from './header-rules.ts';

/** Variants of a header name that some servers read as the same: other case, and another separator for each hyphen. */
const respelled = (name: string): fc.Arbitrary<string> =>
  fc.tuple(...name.split('').map((letter) => respelledLetter(letter))).map((letters) => letters.join(''));

const respelledLetter = (letter: string): fc.Arbitrary<string> =>
  letter === '-' ? fc.constantFrom('-', '_', '.', '~', '!', '+') : fc.constantFrom(letter, letter.toUpperCase());

const token = fc.stringMatching(/^[a-z0-9]{1,8}(?:-[a-z0-9]{1,8}){0,2}$/);

const reserved = [
  'x-octroi-activation',
  'x-octroi-test',
  'x-octroi-plan',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded',
  'forwarded',
  'x-real-ip',
  'client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'x-originating-ip',
  'x-remote-ip',
  'x-remote-addr',
  'remote-user',
  'x-remote-user',
  'proxy',
  'x-original-method',
  'x-http-path-override',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
  'x-original-url',
  'x-rewrite-url',
  'x-request-id',
  'x-api-key',
  'authorization',
  'cookie',
  'host',
  'transfer-encoding',
  'proxy-authorization',
  'x-authenticated-user',
  'x-authenticated-userid',
  'x-ms-client-principal',
  'x-ms-client-principal-id',
  'x-amzn-oidc-identity',
  'x-amzn-mtls-clientcert',
  'x-goog-authenticated-user-email',
  'x-goog-iap-jwt-assertion',
  'x-apigateway-api-userinfo',
  'x-endpoint-api-userinfo',
  'x-envoy-external-address',
  'x-envoy-original-path',
  'x-middleware-subrequest',
  'x-vercel-forwarded-for',
  'x-auth-request-email',
  'x-consumer-custom-id',
  'x-credential-identifier',
  'x-remote-group',
  'x-webauth-user',
  'x-pomerium-jwt-assertion',
  'x-ssl-client-dn',
  'x-client-cert',
  'x-arr-clientcert',
  'x-appengine-user-email',
  'ssl-client-verify',
  'client-cert',
  'oidc-claim-sub',
  'remote-groups',
  'cf-access-authenticated-user-email',
  'fly-client-ip',
];

test('no spelling of a reserved name reaches the product', () => {
  fc.assert(
    fc.property(fc.constantFrom(...reserved).chain(respelled), (name) => {
      expect(headersForProduct([name, 'forged'], [])).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test('no spelling of any name that begins with X-Octroi- or X-Forwarded- reaches the product', () => {
  const names = fc.tuple(fc.constantFrom('x-octroi-', 'x-forwarded-'), token).map((parts) => parts.join(''));
  fc.assert(
    fc.property(names.chain(respelled), (name) => {
      expect(isForProduct(name)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('headers that the gateway reads itself pass only in their exact spelling', () => {
  for (const name of ['content-length', 'Content-Length', 'content-type', 'CONTENT-TYPE', 'idempotency-key']) {
    expect(isForProduct(name)).toBe(true);
    expect(isForProduct(name.replace('-', '_'))).toBe(false);
  }
});

test('other names pass, including those with underscores', () => {
  const names = [
    'accept',
    'X-Kept',
    'x_kept',
    'x-octroi',
    'x-octroise',
    'traceparent',
    'x-realm',
    'irp-username',
    'x-auth-token',
    'x-goog-api-key',
    'x-amz-date',
    'x-amzn-trace-id',
    'x-ms-version',
    'x-remotely',
    'cf-ray',
  ];
  expect(names.filter((name) => !isForProduct(name))).toEqual([]);
});

test('a product can’t say for the gateway what a call used or may still use', () => {
  const names = ['Octroi-Units', 'RateLimit', 'X-RateLimit-Remaining', 'Octroi-Mode', 'X-Request-Id', 'ETag'];
  const head = names.flatMap((name) => [Buffer.from(name), Buffer.from('9')]);
  expect(headersForCaller(head)).toEqual(['ETag', '9']);
});

test('a product can’t say for the gateway which pages may call it, or where else it is reached', () => {
  const names = ['Access-Control-Allow-Methods', 'Access-Control-Max-Age', 'Alt-Svc', 'Vary'];
  const head = names.flatMap((name) => [Buffer.from(name), Buffer.from('a')]);
  expect(headersForCaller(head)).toEqual(['Vary', 'a']);
});
