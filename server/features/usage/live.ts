import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { usageStreamPath } from '#contract/usage.ts';
import { idSchema } from '#contract/values.ts';
import { requireActivation } from '#server/features/activations/activations.ts';
import { requireSession } from '#server/platform/http/handle.ts';
import type { Caller, Portal } from '#server/portal.ts';
import { selectTotals } from './store.ts';
import { readInsights } from './usage.ts';

/** How often the counts are looked at, once for all streams together. */
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
  seenTotal: number;
  spokeAt: number;
}

/** Follows calls as they are counted: one look at the database a second serves every page that is open. */
export function usageStreams(app: FastifyInstance, portal: Portal): void {
  const streams = new Set<Stream>();

  const tell = async (stream: Stream, total: number): Promise<void> => {
    const insights = await readInsights(portal, stream.caller, stream.activationId);
    stream.seenTotal = total;
    stream.spokeAt = portal.machineClock();
    stream.reply.raw.write(`event: usage\ndata: ${JSON.stringify(insights)}\n\n`);
  };
  const look = async (): Promise<void> => {
    if (streams.size === 0) return;
    const totals = await selectTotals(portal.db, [...new Set([...streams].map((stream) => stream.activationId))]);
    const now = portal.machineClock();
    for (const stream of streams) {
      const total = totals.get(stream.activationId) ?? 0;
      if (now > stream.endsAt) stream.reply.raw.end();
      else if (total !== stream.seenTotal) await tell(stream, total);
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
      .catch((error: unknown) => portal.log.warn({ err: error }, 'usage could not be followed'))
      .finally(() => {
        looking = false;
      });
  }, lookMs);
  // Streams do not end by themselves: they are ended before the server waits for its connections.
  app.addHook('preClose', async () => {
    clearInterval(timer);
    for (const stream of streams) stream.reply.raw.end();
  });

  app.get(usageStreamPath, { schema: { hide: true } }, async (request, reply) => {
    const caller = await requireSession(portal, request);
    const { activationId } = z.object({ activationId: idSchema }).parse(request.params);
    await requireActivation(caller, portal.db, activationId);
    if (streams.size >= maxStreams) return reply.code(503).header('retry-after', '10').send();
    reply.hijack();
    reply.raw.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    });
    const now = portal.machineClock();
    const stream: Stream = { caller, activationId, reply, endsAt: now + streamLifeMs, seenTotal: -1, spokeAt: now };
    reply.raw.on('close', () => streams.delete(stream));
    await tell(stream, -1);
    streams.add(stream);
    return reply;
  });
}
