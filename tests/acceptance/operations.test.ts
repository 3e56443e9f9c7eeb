import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Api, checked, exampleOf, send, useLiveApis, withKey } from './live-apis.ts';

const live = useLiveApis();

const operationsOf = ({ document }: Api) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [path, method] as const),
  );

test('every operation of our APIs responds to its examples as its public document says', async () => {
  let calls = 0;
  const { apis } = live();
  for (const api of await apis()) {
    for (const [path, method] of operationsOf(api)) {
      const example = exampleOf(api, path, method);
      const headers = { ...example.headers, 'x-api-key': api.customer.key, 'idempotency-key': randomUUID() };
      const response = checked(api, path, method, await send(example.url, { ...example, headers }));
      expect([path, response.status, response.body.slice(0, 200)]).toMatchObject([path, 200, {}]);
      calls += 1;
    }
  }
  expect(calls).toBe(17);
});

test('every operation describes the refusals of the gateway that any call can get', async () => {
  const { apis, lookUp, invoicing } = live();
  for (const api of await apis()) {
    for (const [path, method] of operationsOf(api)) {
      const example = exampleOf(api, path, method);
      const { key } = api.customer === lookUp ? invoicing : lookUp;
      expect(checked(api, path, method, await send(example.url, example)).code).toBe('key-missing');
      expect(checked(api, path, method, await send(example.url, withKey(example, key))).code).toBe('key-of-other-api');
    }
  }
});

test('errors of our APIs are as their public documents say', async () => {
  const { apis, lookUp, invoicing } = live();
  const [states, invoices] = await apis();
  const number = exampleOf(invoices, '/v1/numbers', 'post');
  const post = async (body: string | undefined, headers: Record<string, string>) =>
    checked(
      invoices,
      '/v1/numbers',
      'post',
      await send(number.url, { method: 'post', body, headers: { 'x-api-key': invoicing.key, ...headers } }),
    );
  const json = { 'content-type': 'application/json', 'idempotency-key': 'one' };
  const { 'idempotency-key': _key, ...keyless } = json;
  const problems = [
    await post(number.body, keyless),
    await post('{"series":', json),
    await post('{}', json),
    await post('{}', { ...json, 'content-type': 'text/plain' }),
    await post(`{"series":"${'x'.repeat(1_000_001)}"}`, json),
    await post(number.body, { ...json, 'idempotency-key': 'two' }),
    await post(number.body?.replace('TPX', 'ABC'), { ...json, 'idempotency-key': 'two' }),
  ];
  expect(problems.map(({ status, code }) => [status, code])).toEqual([
    [400, 'idempotency-key-missing'],
    [400, 'bad-request'],
    [422, 'request-invalid'],
    [415, 'unsupported-media-type'],
    [413, 'content-too-large'],
    [200, undefined],
    [422, 'idempotency-key-reused'],
  ]);
  const wrong = await send(`${states.url}/v1/states`, { method: 'delete', headers: { 'x-api-key': lookUp.key } });
  expect(wrong).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect(JSON.parse(wrong.body)).toMatchObject({ code: 'method-not-allowed' });
});
