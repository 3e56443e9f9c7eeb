import { createServer, type Server } from 'node:http';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '#gateway/gateway.ts';
import { listen } from '#gateway/http/server.ts';
import { createCustomer, type Customer, type Harness, openHarness, startTestGateway } from '#gateway/test/world.ts';

let harness: Harness;
let api: Server;
let gateway: Gateway;
let customer: Customer;
beforeAll(async () => {
  harness = await openHarness();
  // Refuses uploads before it has read them.
  api = createServer((req, res) => {
    res.writeHead(req.method === 'POST' ? 422 : 200, { 'Content-Type': 'text/plain' });
    res.end('told');
  });
  const upstream = await listen(api, 0, '127.0.0.1');
  const dataDir = `${harness.setup.dataDir}/early`;
  gateway = await startTestGateway({ ...harness.setup, dataDir }, { upstream });
  customer = await createCustomer(harness.database.pool);
});
afterAll(async () => {
  await gateway.close();
  api.closeAllConnections();
  api.close();
  await harness.close();
});

test('a response that comes before the body is read reaches the caller, whose connection stays usable', async () => {
  const connection = new Agent({ connections: 1, pipelining: 1 });
  const call = async (method: 'GET' | 'POST', body: Buffer | null) => {
    const response = await request(`${gateway.url}/tax-lookup/v1/files`, {
      method,
      headers: { 'x-api-key': customer.key },
      body,
      dispatcher: connection,
    });
    return [response.statusCode, await response.body.text()];
  };
  const large = Buffer.alloc(900_000, 'x');
  for (let round = 0; round < 5; round += 1) {
    expect(await call('POST', large)).toEqual([422, 'told']);
    expect(await call('GET', null)).toEqual([200, 'told']);
  }
  await connection.close();
});
