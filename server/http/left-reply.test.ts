import { randomBytes } from 'node:crypto';
import fastifyCompress from '@fastify/compress';
import fastify from 'fastify';
import { expect, onTestFinished, test, vi } from 'vitest';
import { errorHandlerOf } from './problems.ts';

const encodings = ['gzip', 'br'];

test.each(encodings)('a caller who leaves before a large %s reply begins is no error', async (encoding) => {
  const lines: string[] = [];
  const app = fastify({ logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } } });
  onTestFinished(() => app.close());
  app.setErrorHandler(errorHandlerOf({}));
  await app.register(fastifyCompress, { threshold: 1024 });
  // With a body that was read, unlike a GET, the request does not count as aborted.
  app.post('/large', async ({ raw }) => {
    setImmediate(() => raw.socket.destroy());
    return { large: randomBytes(5_000_000).toString('base64') };
  });
  app.get('/broken', async () => {
    throw new Error('A fault of ours');
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const headers = { 'accept-encoding': encoding };
  await expect(
    fetch(`${url}/large`, { method: 'POST', body: '{}', headers: { ...headers, 'content-type': 'application/json' } }),
  ).rejects.toThrow('fetch failed');
  expect((await fetch(`${url}/broken`, { headers })).status).toBe(500);
  await vi.waitFor(() => expect(lines.join('')).toContain('A fault of ours'), { timeout: 60_000 });
  const errors = lines.filter((line) => line.includes('"level":50'));
  expect(errors).toHaveLength(1);
});
