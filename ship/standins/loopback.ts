import Fastify, { type FastifyInstance } from 'fastify';
import { isLoopbackHost } from '#ship/standins/config.ts';

/** Origins that may frame the stand-ins or read their responses: pages of this machine. */
export const localOriginPattern = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** A bare server that accepts connections from this machine only. */
export function createLoopbackApp(): FastifyInstance {
  const app = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: 256 * 1024 });

  app.addHook('onRequest', async (request, reply) => {
    // A site whose name resolves to 127.0.0.1 (DNS rebinding) must not reach the controls.
    if (!isLoopbackHost(request.hostname.replace(/:\d+$/, ''))) {
      return reply.code(403).send({ message: 'The stand-ins respond only to localhost.' });
    }
    // Pages of other sites must not call them either: browsers send the page's origin when it is not our own.
    const origin = request.headers.origin;
    const isOurs = origin === undefined || localOriginPattern.test(origin);
    if (!isOurs) return reply.code(403).send({ message: `The stand-ins do not respond to pages of ${origin}.` });
    return undefined;
  });
  // A POST without a body may still declare JSON as its type.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (_request: unknown, body: string) => {
    if (body.trim() === '') return undefined;
    try {
      return JSON.parse(body);
    } catch {
      throw Object.assign(new Error('The body is not JSON.'), { statusCode: 400 });
    }
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  app.get('/standin/health', () => ({ status: 'ok' }));
  return app;
}

/** Binds to the loopback address and returns the base address, with `localhost` as its name. */
export async function listenOnLoopback(app: FastifyInstance, port: number): Promise<string> {
  const address = await app.listen({ host: '127.0.0.1', port });
  return `http://localhost:${new URL(address).port}`;
}
