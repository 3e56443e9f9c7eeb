import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ArrivedProbe, longestProbeWaitMs, probeHeader } from '#shared/database/gateway-probe.ts';
import { isFromProxy, type Networks } from '#shared/platform/addresses.ts';

/** The milliseconds after which the doctor wants to know how its own call arrived; undefined for a call that goes to an API. */
export function doctorAsks({ headers }: IncomingMessage): number | undefined {
  const text = headers[probeHeader];
  return typeof text === 'string' && /^\d{1,7}$/.test(text) ? Math.min(Number(text), longestProbeWaitMs) : undefined;
}

/** Tells the doctor how its call through GATEWAY_URL arrived, as late as it asked. */
export async function answerDoctor(
  req: IncomingMessage,
  res: ServerResponse,
  { requestId, waitMs, proxies }: { requestId: string; waitMs: number; proxies: Networks | undefined },
): Promise<void> {
  const { remoteAddress: peer = '' } = req.socket;
  const forwarded = req.headers['x-forwarded-for'];
  const arrived: ArrivedProbe = {
    peer,
    isTrusted: isFromProxy(req.socket, proxies),
    forwarded: typeof forwarded === 'string' ? forwarded : null,
  };
  const left = new AbortController();
  res.once('close', () => left.abort());
  if (waitMs > 0) await sleep(waitMs, undefined, { signal: left.signal, ref: false }).catch(() => undefined);
  if (left.signal.aborted) return;
  res.writeHead(200, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
  });
  res.end(JSON.stringify(arrived));
}
