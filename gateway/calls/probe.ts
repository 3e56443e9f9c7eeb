import type { Pool } from 'pg';
import { request } from 'undici';
import { z } from 'zod';
import { type ProbedCall, probeReplyChannel, type ProbeReply, probeTimeoutMs } from '#shared/database/gateway-probe.ts';
import type { Product } from '#catalog/catalog.ts';
import type { ProbeKeys } from '#gateway/access/probe-keys.ts';
import { addressesOf, type UpstreamAddresses } from '#gateway/upstream/upstream.ts';
import type { Log } from '#shared/platform/log.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { reasonOf } from '#shared/platform/reason.ts';

/** A path of an API, as a gateway reaches it. */
export type ProbeTarget = Pick<ProbedCall, 'product' | 'test' | 'address'> & { gatewayPath: string };

/** PostgreSQL refuses a notification of 8,000 bytes. */
const maxTextLength = 500;
const concurrentCalls = 8;
/** A problem is shorter. */
const maxReadBytes = 64 * 1024;

/** Every API of a catalogue, and every sandbox. */
export function probeTargets(products: readonly Product[], addresses: UpstreamAddresses): ProbeTarget[] {
  return products.flatMap((product) => {
    const { live, test } = addressesOf(product, addresses);
    const target = (address: string, isTest: boolean): ProbeTarget => ({
      product: product.id,
      gatewayPath: product.gatewayPath,
      test: isTest,
      address: withoutLogin(address),
    });
    return [target(live, false), ...(test === undefined ? [] : [target(test, true)])];
  });
}

function withoutLogin(address: string): string {
  const url = new URL(address);
  if (url.username === '' && url.password === '') return address;
  url.username = '';
  url.password = '';
  return url.href;
}

export interface ProberDeps {
  pool: Pool;
  journalId: string;
  /** Of this gateway, on this machine. */
  url: string;
  keys: ProbeKeys;
  targets: () => readonly ProbeTarget[];
  log: Log;
}

/** Calls every API through this gateway, and tells the doctor what became of each call. */
export async function answerProbe(
  { pool, journalId, url, keys, targets, log }: ProberDeps,
  message: string,
): Promise<void> {
  const [probe = '', liveKey = '', testKey = ''] = message.split(' ', 3);
  for (const key of [liveKey, testKey]) keys.add(key, performance.now());
  const all = targets();
  const reply = async (call?: ProbedCall): Promise<void> => {
    const text: ProbeReply = { probe, gateway: journalId, of: all.length, ...(call && { call }) };
    await pool.query('select pg_notify($1, $2)', [probeReplyChannel, JSON.stringify(text)]);
  };
  try {
    if (all.length === 0) await reply();
    const waiting = [...all];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        await reply(await callOnce(url, next, next.test ? testKey : liveKey));
    };
    await Promise.all(Array.from({ length: concurrentCalls }, work));
  } catch (error) {
    log.warn({ err: error }, 'could not answer the doctor');
  }
}

async function callOnce(url: string, { gatewayPath, ...about }: ProbeTarget, key: string): Promise<ProbedCall> {
  try {
    const { statusCode, headers, body } = await request(`${url}/${gatewayPath}/v1`, {
      headers: { 'x-api-key': key },
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    const code = await problemCode(String(headers['content-type']), body);
    return { ...about, status: statusCode, ...(code !== undefined && { code }) };
  } catch (error) {
    return { ...about, status: null, fault: reasonOf(error).slice(0, maxTextLength) };
  }
}

const problem = z.object({ code: z.string().max(maxTextLength) });

async function problemCode(type: string, body: AsyncIterable<Buffer>): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxReadBytes) return undefined;
  }
  if (!type.startsWith('application/problem+json')) return undefined;
  return problem.safeParse(parseJson(Buffer.concat(chunks).toString())).data?.code;
}
