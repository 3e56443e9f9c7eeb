import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createRazorpay, ProviderRefusal, ProviderUnavailable } from './razorpay.ts';

/** A client of what responds so to everything. */
async function responding(body: string, status = 200) {
  const server = createServer((_request, response) => void response.writeHead(status).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return createRazorpay({ apiUrl: `http://127.0.0.1:${port}/v1`, keyId: 'rzp', keySecret: 'a' });
}

test.each([
  ['""', null],
  ['null', null],
  ['"HDFC0000000001"', 'HDFC0000000001'],
])('a settlement with the UTR %s has the UTR %s', async (sent, utr) => {
  const settlement = `{"id": "setl_1", "amount": 100, "status": "created", "utr": ${sent}, "created_at": 1}`;
  const razorpay = await responding(settlement);
  expect((await razorpay.readSettlement('setl_1')).utr).toBe(utr);
});

const refused = '{"error": {"code": "BAD_REQUEST_ERROR", "description": "No"}}';

test.each([
  [400, refused, ProviderRefusal],
  [400, '<html>Bad Request</html>', ProviderUnavailable],
  [400, '{"error": "blocked"}', ProviderUnavailable],
  [401, refused, ProviderUnavailable],
  [403, '<html>Forbidden</html>', ProviderUnavailable],
  [403, refused, ProviderUnavailable],
  [404, '{"message": "no route"}', ProviderUnavailable],
  [407, '', ProviderUnavailable],
  [409, refused, ProviderUnavailable],
  [429, refused, ProviderUnavailable],
  [500, refused, ProviderUnavailable],
])('only a refusal of Razorpay itself is a result: %i %s', async (status, body, expected) => {
  const razorpay = await responding(body, status);
  await expect(razorpay.readToken('cust_1', 'token_1')).rejects.toBeInstanceOf(expected);
});
