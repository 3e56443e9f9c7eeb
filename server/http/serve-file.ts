import { Readable, Stream } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { z } from 'zod';
import { contentDisposition } from '#shared/domain/file-name.ts';
import type { Owner } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { TakeTurn } from './turns.ts';
import { watchMember } from './acting.ts';
import { requireViewStill, viewOf } from './viewing.ts';

interface FileRequest<Params extends z.ZodObject> {
  params: z.output<Params>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What was made in a customer's turn. It is sent after the turn, which is over with `over` where that is given. */
interface Made {
  send: () => FastifyReply;
  over?: Promise<void>;
}

/** Whose turn it is: a customer's, or an operator's. */
type Taker = Owner | { operatorId: string };

const idOf = (who: Taker): string => ('operatorId' in who ? who.operatorId : who.customerId);

interface Serving<Params extends z.ZodObject, Who extends Taker> {
  /** Who takes the turn, so that one customer's files can't hold up the calls of others: `callTurns`, or bounds of its own. */
  turns: TakeTurn;
  /** Finds whose file it is, or refuses. `params` refuses an impossible id with the same 404 as an absent one (product §8.2). */
  identify: (request: FastifyRequest, params: () => z.output<Params>) => Promise<Who>;
  make: (request: FileRequest<Params> & { who: Who }) => Promise<Made>;
  /** For the OpenAPI document; a file that has its address from a call is not in it. */
  schema?: FastifySchema;
}

/** The routes of each server that may send a stream. */
const streamsOf = new WeakMap<FastifyInstance['server'], Set<string>>();

/** The routes that may send a stream. server/every-stream.test.ts breaks each of them at its first, a middle and its last part. */
export function streamingRoutes({ server }: FastifyInstance): ReadonlySet<string> {
  return streamsOf.get(server) ?? new Set();
}

/** Refuses to send a stream from any other route. */
export function refuseOtherStreams(app: FastifyInstance): void {
  app.addHook('onSend', async (request, _reply, payload) => {
    const { url = '' } = request.routeOptions;
    if (payload instanceof Stream && !streamingRoutes(app).has(url)) throw new Error(`${url} needs serveStream`);
    if (payload instanceof Readable) watchMember(request, payload);
  });
}

/** Serves a GET outside the contract that is the same for everybody, such as an image: nothing is made for a customer. */
export function servePublic<Params extends z.ZodObject>(
  app: FastifyInstance,
  path: `/${string}`,
  params: Params,
  handler: (request: FileRequest<Params>) => Promise<FastifyReply>,
): void {
  app.get(path, { schema: { hide: true } }, async (request, reply) =>
    handler({ params: parsed(params, request), request, reply }),
  );
}

/** Serves a file of a customer or operator, which the typed client doesn't read. It is made when it is their turn. */
export function serveFile<Params extends z.ZodObject, Who extends Taker>(
  app: FastifyInstance,
  path: `/${string}`,
  params: Params,
  { turns, identify, make, schema = { hide: true } }: Serving<Params, Who>,
): void {
  // Making a file may be recorded as taking it, which a HEAD doesn't.
  app.get(path, { schema, exposeHeadRoute: false }, async (request, reply) => {
    const who = await identify(request, () => parsed(params, request));
    // A signed link says whose file it is.
    if (![undefined, idOf(who)].includes(viewOf(request)?.customerId)) throw refuse('not_found');
    const work = async () => {
      // The caller hung up while it waited.
      if (request.raw.socket.destroyed) throw refuse('unavailable');
      return make({ who, params: parsed(params, request), request, reply });
    };
    const { send } = await turns(idOf(who), work, ({ over }) => over);
    await requireViewStill(request);
    return send();
  });
}

function parsed<Params extends z.ZodObject>(params: Params, request: FastifyRequest): z.output<Params> {
  const { success, data } = params.safeParse(request.params);
  if (!success) throw refuse('not_found');
  return data;
}

/**
 * The same for a stream. It must be one that begins when it is read, such as `Readable.from`: what fails before has no listener, and would end
 * the process. What it makes while it is read takes turns too (`inCallTurns`), or `over` tells its end.
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
