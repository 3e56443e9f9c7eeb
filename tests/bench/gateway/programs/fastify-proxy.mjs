import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Fastify's own plugins, combined as documented: a key must be known, and each key has its calls per day. */
const load = createRequire(join(process.env.PACKAGES, 'package.json'));
const limits = new Map(Object.entries(JSON.parse(readFileSync(process.env.KEYS_FILE, 'utf8'))));

const app = load('fastify')();
await app.register(load('@fastify/rate-limit'), {
  timeWindow: '1 day',
  keyGenerator: (request) => request.headers['x-api-key'] ?? '',
  max: (_request, key) => limits.get(key) ?? 0,
});
app.addHook('onRequest', async (request, reply) => {
  if (!limits.has(request.headers['x-api-key'])) await reply.code(401).send();
});
await app.register(load('@fastify/http-proxy'), {
  upstream: process.env.PRODUCT_URL,
  undici: { connections: 256, pipelining: 1 },
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1', backlog: 4096 });
