import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { type ProbedCall, probeChannel, probeReply, probeReplyChannel } from '#shared/database/gateway-probe.ts';
import type { Db } from '#shared/database/connect.ts';
import { makeApiKey } from '#shared/domain/api-key.ts';
import { checkedRows } from '#shared/platform/checked-rows.ts';
import { parseJson } from '#shared/platform/parse-json.ts';

/** A gateway that is there begins to answer at once; one after many slow APIs takes its time. */
const firstReplyMs = 8000;
const allRepliesMs = 60_000;
const pollMs = 20;

const running = z.object({
  id: z.string(),
  unconfirmed: z.number(),
  fault: z.string().nullable(),
  products_fault: z.string().nullable(),
});

/** The gateways that are connected to the database. */
export async function runningGateways(db: Db): Promise<z.output<typeof running>[]> {
  const query = sql`select journal_id as id, unconfirmed_changes::int as unconfirmed, catalog_fault as fault, products_fault
    from gateways
    where lease_until > clock_timestamp() - interval '10 seconds' order by journal_id`;
  return checkedRows(running, await query.execute(db));
}

export interface ProbedGateway {
  calls: ProbedCall[];
  /** How many it makes; undefined until it has said so. */
  of: number | undefined;
}

/** What became of one call to each API, by gateway; and what `fromOutside` found with a key that they know. */
export async function probeGateways<Outside>(
  databaseUrl: string,
  gateways: readonly string[],
  fromOutside: (liveKey: string) => Promise<Outside>,
): Promise<{ probed: Map<string, ProbedGateway>; outside: Outside }> {
  const probed = new Map(gateways.map((id): [string, ProbedGateway] => [id, { calls: [], of: undefined }]));
  const probe = randomUUID();
  const client = openClient({ connectionString: databaseUrl, application_name: 'octroi doctor' });
  client.on('notification', ({ payload = '' }) => {
    const reply = probeReply.safeParse(parseJson(payload)).data;
    const gateway = probed.get(reply?.gateway ?? '');
    if (reply?.probe !== probe || gateway === undefined) return;
    gateway.of = reply.of;
    if (reply.call !== undefined) gateway.calls.push(reply.call);
  });
  await client.connect();
  try {
    await client.query(`listen ${probeReplyChannel}`);
    const liveKey = makeApiKey(randomBytes(120));
    const testKey = makeApiKey(randomBytes(120), true);
    await client.query('select pg_notify($1, $2)', [probeChannel, `${probe} ${liveKey} ${testKey}`]);
    const begun = performance.now();
    const waitsFor = ({ calls, of }: ProbedGateway): boolean => {
      const waitedMs = performance.now() - begun;
      return of === undefined ? waitedMs < firstReplyMs : calls.length < of && waitedMs < allRepliesMs;
    };
    while ([...probed.values()].some(waitsFor)) await sleep(pollMs);
    return { probed, outside: await fromOutside(liveKey) };
  } finally {
    await client.end();
  }
}
