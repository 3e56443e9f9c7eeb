import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { readText } from './read-response.ts';

async function responseOf(listener: RequestListener): Promise<Response> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return fetch(`http://127.0.0.1:${port}/`);
}

test('a response of as many bytes as are allowed is read, and one without a body too', async () => {
  const text = 'नमस्ते';
  const bytes = Buffer.byteLength(text);
  expect(await readText(await responseOf((_, res) => res.end(text)), bytes)).toBe(text);
  await expect(readText(await responseOf((_, res) => res.end(text)), bytes - 1)).rejects.toThrow(
    `more than ${bytes - 1} bytes`,
  );
  expect(await readText(await responseOf((_, res) => res.writeHead(204).end()), 0)).toBe('');
});

test('of a response without end no more is read than is allowed, and its connection ends', async () => {
  let sent = 0;
  let isClosed = false;
  const response = await responseOf((_, res) => {
    const chunk = Buffer.alloc(65_536);
    const send = (): void => {
      while (!res.destroyed && res.write(chunk)) sent += chunk.length;
    };
    res.on('drain', send).on('close', () => (isClosed = true));
    send();
  });
  await expect(readText(response, 1000)).rejects.toThrow('more than 1000 bytes');
  await expect.poll(() => isClosed, { timeout: 60_000 }).toBe(true);
  expect(sent).toBeLessThan(50_000_000);
});
