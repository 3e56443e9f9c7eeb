import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { idSchema } from '#contract/values.ts';
import type { Db } from '#database/connect.ts';
import { selectLiveSessions } from '#server/platform/auth/sessions.ts';
import { requireSession, tokenOf } from '#server/platform/http/handle.ts';
import { sha256 } from '#server/platform/ids.ts';
import { refuse } from '#server/platform/refuse.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { serveFile } from './serve-file.ts';

/** What pages follow of an activation: something that changes, and what is told then. */
interface Followed {
  path: `/${string}`;
  /** Throws a refusal where the activation is not the caller's. */
  guard: (caller: Caller, activationId: string) => Promise<unknown>;
  /** The name of the events. */
  event: string;
  /** For each activation something that is another when there is something new; absent when there is nothing yet. */
  markers: (db: Db, activationIds: string[]) => Promise<Map<string, string | number>>;
  read: (caller: Caller, activationId: string) => Promise<object>;
}

/** How often the database is looked at, once for all streams of a kind together. */
const lookMs = 1000;
/** A comment at least this often, so that proxies keep the stream open and a dead client is noticed. */
const heartbeatMs = 15_000;
/** A stream ends after this long; the client opens another, which checks its session anew. */
const streamLifeMs = 10 * 60_000;
/** Of all customers and kinds together, in one process. */
const maxStreams = 2000;
/** Of one customer, all kinds together: the next one is refused, as ending the oldest would make eleven tabs evict each other for ever. */
const maxStreamsOfCustomer = 10;

const streamParams = z.object({ activationId: idSchema });

interface Stream {
  caller: Caller;
  /** SHA-256 of the session's token: the stream ends with the session. */
  session: Buffer;
  activationId: string;
  reply: FastifyReply;
  endsAt: number;
  seen: string | number | undefined;
  spokeAt: number;
}

/** The streams of each server, whatever they follow. */
const streamsOf = new WeakMap<FastifyInstance['server'], Set<Stream>>();

/** Serves streams of server-sent events: one look at the database a second serves every page that is open. */
export function followActivations(
  app: FastifyInstance,
  portal: Portal,
  { path, guard, event, markers, read }: Followed,
): void {
  const all = streamsOf.get(app.server) ?? new Set<Stream>();
  streamsOf.set(app.server, all);
  const streams = new Set<Stream>();

  const write = (stream: Stream, data: object): void => {
    stream.spokeAt = portal.machineClock();
    stream.reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const follow = async (stream: Stream, marker: Stream['seen'], now: number): Promise<void> => {
    if (marker !== stream.seen) {
      const data = await read(stream.caller, stream.activationId);
      stream.seen = marker;
      write(stream, data);
    } else if (now - stream.spokeAt > heartbeatMs) {
      stream.spokeAt = now;
      stream.reply.raw.write(': still here\n\n');
    }
  };
  const look = async (): Promise<void> => {
    if (streams.size === 0) return;
    const sessions = [...new Map([...streams].map(({ session }) => [session.toString('hex'), session])).values()];
    const live = await selectLiveSessions(portal.db, sessions, portal.machineClock);
    const now = portal.machineClock();
    for (const stream of streams) {
      if (now > stream.endsAt || !live.has(stream.session.toString('hex'))) end(stream);
    }
    if (streams.size === 0) return;
    const newest = await markers(portal.db, [...new Set([...streams].map((stream) => stream.activationId))]);
    for (const stream of streams) {
      // What one stream cannot read (its activation is deleted) ends that one; the client asks again and is told why.
      await follow(stream, newest.get(stream.activationId), now).catch((error: unknown) => {
        portal.log.info({ err: error }, 'a live stream ended');
        end(stream);
      });
    }
  };
  const end = (stream: Stream): void => {
    streams.delete(stream);
    all.delete(stream);
    stream.reply.raw.end();
  };
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    look()
      .catch((error: unknown) => portal.log.warn({ err: error }, 'an activation could not be followed'))
      .finally(() => {
        looking = false;
      });
  }, lookMs);
  // Streams do not end by themselves: they are ended before the server waits for its connections.
  app.addHook('preClose', async () => {
    clearInterval(timer);
    for (const stream of streams) end(stream);
  });

  serveFile(
    app,
    path,
    streamParams,
    (request) => requireSession(portal, request),
    async ({ who: caller, params: { activationId }, request, reply }) => {
      await guard(caller, activationId);
      const data = await read(caller, activationId);
      // From here on without a pause, so that no two requests take the same place.
      const own = [...all].filter((stream) => stream.caller.customerId === caller.customerId);
      if (own.length >= maxStreamsOfCustomer) throw refuse('too_many_streams');
      if (all.size >= maxStreams) throw refuse('unavailable');
      reply.hijack();
      // Who has left by now is heard of no more: a stream to nobody would keep its place until its life is over.
      if (request.raw.socket.destroyed) return reply;
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-request-id': request.id,
      });
      const now = portal.machineClock();
      const session = sha256(tokenOf(request));
      const endsAt = now + streamLifeMs;
      const stream: Stream = { caller, session, activationId, reply, endsAt, seen: undefined, spokeAt: now };
      streams.add(stream);
      all.add(stream);
      reply.raw.on('close', () => {
        streams.delete(stream);
        all.delete(stream);
      });
      write(stream, data);
      return reply;
    },
  );
}
