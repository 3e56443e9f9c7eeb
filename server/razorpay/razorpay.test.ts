import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { createRazorpay } from './razorpay.ts';

test.each([
  ['""', null],
  ['null', null],
  ['"HDFC0000000001"', 'HDFC0000000001'],
])('a settlement with the UTR %s has the UTR %s', async (sent, utr) => {
  const server = createServer((_request, response) => {
    response.end(`{"id": "setl_1", "amount": 100, "status": "created", "utr": ${sent}, "created_at": 1}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const razorpay = createRazorpay({ apiUrl: `http://127.0.0.1:${port}/v1`, keyId: 'rzp', keySecret: 'a' });
  expect((await razorpay.readSettlement('setl_1')).utr).toBe(utr);
});
