import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { quietLog } from '#products/test-products.ts';
import { createProductServer } from './product-server.ts';

test('a response ends its connection when the process stopped after the request began', async () => {
  const about = {
    title: 'Test',
    description: '',
    gatewayUrl: 'https://api.example.in',
    gatewayPath: '/test',
    tags: [],
  };
  // Nothing else may end the connection.
  const server = await createProductServer(about, quietLog, { closing: { keepIdleMs: 60_000, longestMs: 120_000 } });
  const waiting: ((body: string) => void)[] = [];
  server.get('/slow', () => new Promise<string>((resolve) => waiting.push(resolve)));
  const url = await server.listen({ port: 0, host: '127.0.0.1' });
  const agent = new Agent({ keepAlive: true });
  const begin = async (): Promise<() => Promise<string | undefined>> => {
    const call = get(`${url}/slow`, { agent });
    const responded: Promise<IncomingMessage[]> = once(call, 'response');
    await vi.waitUntil(() => waiting.length > 0, { timeout: 60_000 });
    return async () => {
      waiting.pop()?.('done');
      const [response] = await responded;
      expect(response && (await text(response))).toBe('done');
      return response?.headers.connection;
    };
  };
  const first = await begin();
  expect(await first()).toBe('keep-alive');
  const second = await begin();
  const closed = server.close();
  await vi.waitUntil(() => !server.server.listening, { timeout: 60_000 });
  expect(await second()).toBe('close');
  await closed;
  agent.destroy();
});
