import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { idSchema } from '#contract/values.ts';
import type { Db } from '#database/connect.ts';
import { requireSession } from '#server/platform/http/handle.ts';
import type { Caller, Portal } from '#server/portal.ts';

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

/** How often the database is looked at, once for all streams together. */
const lookMs = 1000;
/** A comment at least this often, so that proxies keep the stream open and a dead client is noticed. */
const heartbeatMs = 15_000;
/** A stream ends after this long; the client opens another, which checks its session anew. */
const streamLifeMs = 10 * 60_000;
const maxStreams = 2000;

interface Stream {
  caller: Caller;
  activationId: string;
  reply: FastifyReply;
  endsAt: number;
  seen: string | number | undefined;
  spokeAt: number;
}

/** Serves streams of server-sent events: one look at the database a second serves every page that is open. */
export function followActivations(
  app: FastifyInstance,
  portal: Portal,
  { path, guard, event, markers, read }: Followed,
): void {
  const streams = new Set<Stream>();

  const tell = async (stream: Stream, marker: Stream['seen']): Promise<void> => {
    const data = await read(stream.caller, stream.activationId);
    stream.seen = marker;
    stream.spokeAt = portal.machineClock();
    stream.reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const look = async (): Promise<void> => {
    if (streams.size === 0) return;
    const newest = await markers(portal.db, [...new Set([...streams].map((stream) => stream.activationId))]);
    const now = portal.machineClock();
    for (const stream of streams) {
      const marker = newest.get(stream.activationId);
      if (now > stream.endsAt) stream.reply.raw.end();
      else if (marker !== stream.seen) await tell(stream, marker);
      else if (now - stream.spokeAt > heartbeatMs) {
        stream.spokeAt = now;
        stream.reply.raw.write(': still here\n\n');
      }
    }
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
    for (const stream of streams) stream.reply.raw.end();
  });

  app.get(path, { schema: { hide: true } }, async (request, reply) => {
    const caller = await requireSession(portal, request);
    const { activationId } = z.object({ activationId: idSchema }).parse(request.params);
    await guard(caller, activationId);
    if (streams.size >= maxStreams) return reply.code(503).header('retry-after', '10').send();
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    });
    const now = portal.machineClock();
    const stream: Stream = { caller, activationId, reply, endsAt: now + streamLifeMs, seen: undefined, spokeAt: now };
    reply.raw.on('close', () => streams.delete(stream));
    await tell(stream, undefined);
    streams.add(stream);
    return reply;
  });
}
