import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApiKey } from '#shared/contract/api-keys.ts';
import { listRequests } from '#shared/contract/request-log.ts';
import { readUsage } from '#shared/contract/usage.ts';
import { expect, test } from './product.ts';
import { newActivation } from './signed-in.ts';

/** Callers who drop each call within 3 ms and repeat it with the same Idempotency-Key, against both products. */

const address = { line1: '14 Residency Road', city: 'Bengaluru', pin: '560025' };
const invoice = {
  supplier: { gstin: '27ZZZCA0001A1Z4', name: 'Acme Kirana', address },
  recipient: { gstin: '29ZZZCA0001A1Z0', name: 'Uma Foods', address },
  document: { number: 'A-1', date: '2026-11-02' },
  items: [{ description: 'API access', hsn: '998319', unitPrice: 1499, gstRate: 18 }],
};

const cases = [
  { what: 'an invoice computed', path: 'compute', rounds: 24 },
  { what: 'a PDF', path: 'pdf', rounds: 8 },
];

for (const { what, path, rounds } of cases) {
  test(`${what} that was dropped at once and repeated counts once, and no response is free`, async ({ product }) => {
    const { customer, activationId } = await newActivation(product, 'trial', 'invoicing-system');
    const { apiKey } = await customer.send(createApiKey, { params: { activationId }, body: { keyName: 'drop' } });
    const url = `${product.gatewayUrl}/gst-invoicing/v1/invoices/${path}`;
    const json = JSON.stringify(invoice);
    let free = 0;

    const repeat = async (idempotencyKey: string): Promise<Response> => {
      for (;;) {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
          body: json,
        });
        const bytes = await response.arrayBuffer();
        if (response.status === 200) {
          expect(bytes.byteLength).toBeGreaterThan(100);
          return response;
        }
        // 409: the dropped call is still running, which counts like any 4xx of an API; a repeat may also overtake the
        // call. 429: too many calls in this second.
        expect([409, 429]).toContain(response.status);
        await sleep(60);
      }
    };

    for (let round = 0; round < rounds; round += 1) {
      const idempotencyKey = randomUUID();
      await dropCall(url, apiKey, idempotencyKey, json, round % 4);
      await repeat(idempotencyKey);
      if ((await repeat(idempotencyKey)).headers.get('octroi-replayed') === 'true') free += 1;
    }
    expect(free).toBe(rounds);
    const usage = async () => {
      const { insights } = await customer.send(readUsage, { params: { activationId } });
      const { requests } = await customer.send(listRequests, { params: { activationId }, query: { limit: 200 } });
      const inWork = requests.filter(({ status }) => status === 409).length;
      return { forTheResponses: insights.dailyUse.quotaUsed - inWork };
    };
    await expect.poll(usage).toEqual({ forTheResponses: rounds });
  });
}

/** Sends a complete call and drops its connection after the given milliseconds. */
async function dropCall(
  url: string,
  apiKey: string,
  idempotencyKey: string,
  body: string,
  afterMs: number,
): Promise<void> {
  const { port, pathname } = new URL(url);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    'Host: gateway',
    `X-API-Key: ${apiKey}`,
    `Idempotency-Key: ${idempotencyKey}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => resolve()));
  await sleep(afterMs);
  socket.destroy();
}
