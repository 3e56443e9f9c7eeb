import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCustomer, openHarness, startTestGateway, usageOf } from '#gateway/test/world.ts';

/** Pipelines calls on one connection, then drops it. */
async function loseConnection(
  gatewayUrl: string,
  key: string,
  paths: readonly string[],
  afterMs: number,
): Promise<void> {
  const socket = connect(Number(new URL(gatewayUrl).port), '127.0.0.1');
  socket.on('error', () => {});
  const head = (path: string): string => `GET /tax-lookup/v1${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`;
  socket.write(paths.map(head).join(''));
  await sleep(afterMs);
  socket.destroy();
}

test.each([
  ['a remote product', undefined],
  ['an in-process product', 'file:gateway/test/inside.ts'],
])('pipelined calls of callers who disconnect hold no slot of %s and no unit of quota', async (_what, upstream) => {
  const harness = await openHarness();
  const place = { ...harness.setup, dataDir: `${harness.setup.dataDir}/queued` };
  const env = { UPSTREAM_CONNECTIONS: '8', UPSTREAM_QUEUE_TIMEOUT_MS: '300' };
  const gateway = await startTestGateway(place, upstream === undefined ? { env } : { env, upstream });
  try {
    const { pool } = harness.database;
    const [hot, other] = [await createCustomer(pool, { daily: 60 }), await createCustomer(pool)];
    const lost = Array.from({ length: 12 }, (_, index) =>
      loseConnection(gateway.url, hot.key, ['/slow/150', '/ok', index % 2 === 0 ? '/big/5000000' : '/slow/200'], 50),
    );
    await Promise.all(lost);
    await sleep(400);
    for (const { key } of [hot, other]) {
      const responses = await Promise.all(Array.from({ length: 7 }, () => harness.call(key, { url: gateway.url })));
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200));
    }
    // All units that were not counted can still be used, and no more: `close` of the harness compares.
    const callAndCount = async () => {
      await harness.call(hot.key, { url: gateway.url });
      return (await usageOf(pool, hot.activationId)).counted;
    };
    await expect.poll(callAndCount, { interval: 10 }).toBe(60);
    await gateway.close();
  } finally {
    await harness.close();
  }
});
