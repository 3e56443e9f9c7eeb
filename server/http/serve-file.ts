import { type Readable, Stream } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { contentDisposition } from '#domain/file-name.ts';
import { refuse } from '#server/refusals/refuse.ts';

interface FileRequest<Params extends z.ZodObject, Who> {
  who: Who;
  params: z.output<Params>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The routes of each server that may send a stream. */
const streamsOf = new WeakMap<FastifyInstance['server'], Set<string>>();

/** The routes that may send a stream. server/every-stream.test.ts breaks each of them at its first, a middle and its last part. */
export function streamingRoutes({ server }: FastifyInstance): ReadonlySet<string> {
  return streamsOf.get(server) ?? new Set();
}

/** Refuses to send a stream from any other route. */
export function refuseOtherStreams(app: FastifyInstance): void {
  app.addHook('onSend', async ({ routeOptions: { url = '' } }, _reply, payload) => {
    if (payload instanceof Stream && !streamingRoutes(app).has(url)) throw new Error(`${url} needs serveStream`);
  });
}

/** For files whose URL is the permission, because it is signed or only reachable from inside. */
export const anyone = async (): Promise<undefined> => undefined;

/**
 * Serves a GET outside the contract: a file or a page, which the typed client doesn't read. Path parameters are checked here,
 * after `identify` has found the caller; an impossible id gets the same 404 as an absent one (product §8.2).
 */
export function serveFile<Params extends z.ZodObject, Who>(
  app: FastifyInstance,
  path: `/${string}`,
  params: Params,
  identify: (request: FastifyRequest) => Promise<Who>,
  handler: (request: FileRequest<Params, Who>) => Promise<unknown>,
): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const who = await identify(request);
    const parsed = params.safeParse(request.params);
    if (!parsed.success) throw refuse('not_found');
    return handler({ who, params: parsed.data, request, reply });
  });
}

/**
 * The same for a stream. It must be one that begins when it is read, such as `Readable.from`: what fails before has no listener, and would end
 * the process.
 */
export const serveStream: typeof serveFile = (app, path, ...rest) => {
  const streams = streamsOf.get(app.server) ?? new Set();
  streamsOf.set(app.server, streams.add(app.prefix + path));
  serveFile(app, path, ...rest);
};

interface SentFile {
  /** May be from outside. */
  name: string;
  type: string;
  content: Buffer | string | Readable;
  /** The size of a stream, where it is known. */
  bytes?: number;
  /** Shown by the browser, not saved. */
  isShown?: boolean;
}

/** Sends a file that only this caller may read. */
export function sendFile(reply: FastifyReply, { name, type, content, bytes, isShown = false }: SentFile): FastifyReply {
  if (bytes !== undefined) reply.header('content-length', bytes);
  return reply
    .type(type)
    .header('content-disposition', contentDisposition(isShown ? 'inline' : 'attachment', name))
    .header('cache-control', 'private, no-store')
    .send(content);
}
