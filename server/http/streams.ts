import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ids } from '#shared/contract/ids.ts';
import type { Db } from '#shared/database/connect.ts';
import { type MemberCallName, memberRights } from '#shared/policies/members/rights.ts';
import { selectLiveSessions } from '#server/auth/sessions.ts';
import { selectLiveViews } from '#server/auth/views.ts';
import { requireSession } from '#server/http/handle.ts';
import { sha256 } from '#server/crypto/ids.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { callTurns } from './call-turns.ts';
import { serveStream } from './serve-file.ts';
import { tokenOf } from './token.ts';

/** What pages can follow of an activation, and the data of its events. */
interface Followed {
  /** The call that needs the same right. */
  right: MemberCallName;
  path: `/${string}`;
  /** Throws a refusal when the activation is not the owner's. */
  guard: (owner: Owner, activationId: string) => Promise<unknown>;
  /** The name of the events. */
  event: string;
  /** A marker per activation that changes whenever there is new data; absent while there is none. */
  markers: (db: Db, activationIds: string[]) => Promise<Map<string, string | number>>;
  read: (owner: Owner, activationId: string) => Promise<object>;
}

/** Poll interval of the database; one poll serves all streams of a kind. */
const pollMs = 1000;
/** Interval of comments, so that proxies keep the stream open and a dead client is noticed. */
const heartbeatMs = 15_000;
/** A stream ends after this long; the client opens another one, which checks its session again. */
const streamLifeMs = 10 * 60_000;
/** Limit for all customers and kinds together, in one process. */
const maxStreams = 2000;
/** Limit per customer, all kinds together. Beyond it we refuse: ending the oldest would make eleven tabs evict each other for ever. */
const maxStreamsOfCustomer = 10;

const streamParams = z.object({ activationId: ids.activation });

interface Stream {
  owner: Owner;
  /** SHA-256 of the session's token: the stream ends with the session. */
  session: Buffer;
  activationId: string;
  body: Readable;
  endsAt: number;
  seen: string | number | undefined;
  lastWriteAt: number;
}

/** The open streams of all kinds. Those of operators who see as customers don't count with those of the customers. */
const streamsOf = new WeakMap<Portal, Set<Stream>>();

/** Serves server-sent events: one poll per second serves every open page. */
export function followActivations(
  app: FastifyInstance,
  portal: Portal,
  { right, path, guard, event, markers, read }: Followed,
): void {
  const all = streamsOf.get(portal) ?? new Set<Stream>();
  streamsOf.set(portal, all);
  const streams = new Set<Stream>();

  const write = (stream: Stream, text: string): void => {
    // It may have ended while its data was read.
    if (!streams.has(stream)) return;
    stream.lastWriteAt = portal.machineClock();
    stream.body.push(text);
  };
  const writeEvent = (stream: Stream, data: object): void =>
    write(stream, `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const follow = async (stream: Stream, marker: Stream['seen'], now: number): Promise<void> => {
    if (marker !== stream.seen) {
      const data = await read(stream.owner, stream.activationId);
      stream.seen = marker;
      writeEvent(stream, data);
    } else if (now - stream.lastWriteAt > heartbeatMs) write(stream, ': still here\n\n');
  };
  const poll = async (): Promise<void> => {
    // Those that are opened meanwhile wait for the next poll: nothing was asked about them.
    const polled = [...streams];
    if (polled.length === 0) return;
    const sessions = [...new Map(polled.map(({ session }) => [session.toString('hex'), session])).values()];
    const live = portal.isView
      ? await selectLiveViews(portal.db, sessions, portal.machineClock)
      : await selectLiveSessions(portal.db, sessions, portal.machineClock, memberRights[right]);
    const now = portal.machineClock();
    for (const stream of polled) {
      if (now > stream.endsAt || !live.has(stream.session.toString('hex'))) end(stream);
    }
    const left = polled.filter((stream) => streams.has(stream));
    if (left.length === 0) return;
    const newest = await markers(portal.db, [...new Set(left.map((stream) => stream.activationId))]);
    for (const stream of left) {
      // A stream that fails to read (its activation was deleted) ends alone; the client reconnects and gets the reason.
      await follow(stream, newest.get(stream.activationId), now).catch((error: unknown) => {
        portal.log.info({ err: error }, 'a live stream ended');
        end(stream);
      });
    }
  };
  const remove = (stream: Stream): void => {
    streams.delete(stream);
    all.delete(stream);
  };
  const end = (stream: Stream): void => {
    remove(stream);
    stream.body.push(null);
  };
  let polling = false;
  const timer = setInterval(() => {
    if (polling) return;
    polling = true;
    poll()
      .catch((error: unknown) => portal.log.warn({ err: error }, 'polling for live streams failed'))
      .finally(() => {
        polling = false;
      });
  }, pollMs);
  let closing = false;
  // Streams stay open: end them before the server waits for its connections.
  app.addHook('preClose', async () => {
    closing = true;
    clearInterval(timer);
    for (const stream of streams) end(stream);
  });

  serveStream(app, path, streamParams, {
    // Not for the life of the stream, which would keep the customer's other calls waiting.
    turns: callTurns(portal),
    identify: (request) => requireSession(portal, request, right),
    make: async ({ who: owner, params: { activationId }, request, reply }) => {
      await guard(owner, activationId);
      const data = await read(owner, activationId);
      // No close event will come for a client that is gone: its stream would use up a place until it expires.
      if (closing || request.raw.socket.destroyed) throw refuse('unavailable');
      // No await from here on, so that two requests cannot take the same place.
      const own = [...all].filter((stream) => stream.owner.customerId === owner.customerId);
      if (own.length >= maxStreamsOfCustomer) throw refuse('too_many_streams');
      if (all.size >= maxStreams) throw refuse('unavailable');
      const now = portal.machineClock();
      const session = sha256(tokenOf(request));
      const endsAt = now + streamLifeMs;
      const body = new Readable({ read: () => undefined });
      const stream: Stream = { owner, session, activationId, body, endsAt, seen: undefined, lastWriteAt: now };
      streams.add(stream);
      all.add(stream);
      body.once('close', () => remove(stream));
      writeEvent(stream, data);
      reply.raw.once('close', () => body.destroy());
      const send = () =>
        reply
          .type('text/event-stream')
          .header('cache-control', 'no-store')
          .header('x-accel-buffering', 'no')
          .send(body);
      return { send };
    },
  });
}
