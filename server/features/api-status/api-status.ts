import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Product } from '#catalog/catalog.ts';
import { type ApiState, type ApiStatus, type StatusNow, statusDays } from '#shared/contract/public-pages.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { readText } from '#shared/platform/read-response.ts';
import type { Portal } from '#server/portal.ts';
import { type DayRow, readDays, storeCheck } from './store.ts';

const timeoutMs = 5000;
/** A connection that broke once is no outage. */
const againMs = 1000;
const maxBytes = 64 * 1024;
/** Older checks say nothing of now: three were missed. */
const staleMs = 4 * 60_000;

const health = z.object({ status: z.enum(['ok', 'failing']), failingProducts: z.array(z.string()).default([]) });

/** Asks the gateway, where customers reach it, and stores what it says of each API. */
export async function checkApis(portal: Portal): Promise<void> {
  const isDown = (await askGateway(portal)) ?? (await sleep(againMs).then(() => askGateway(portal))) ?? everyApi;
  if (isDown === 'unknown') return;
  const now = portal.machineClock();
  const checks = portal.catalog.products.map(({ id }) => ({ productId: id, isUp: !isDown(id) }));
  if (checks.length > 0) await storeCheck(portal.db, dayOf(now), new Date(now), checks);
}

type IsDown = (productId: string) => boolean;

const everyApi: IsDown = () => true;

/** Undefined: it can't be reached, or is unable to serve. Unknown: something before it doesn't let its health through. */
async function askGateway({ settings, log }: Portal): Promise<IsDown | 'unknown' | undefined> {
  const url = `${settings.gatewayUrl}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    if (response.status >= 500) return undefined;
    const said = health.safeParse(parseJson(await readText(response, maxBytes))).data;
    if (said !== undefined) return said.status === 'ok' ? (id) => said.failingProducts.includes(id) : undefined;
    log.warn(
      { url, status: response.status },
      'the health of the gateway can not be read there: /status stays unknown',
    );
    return 'unknown';
  } catch {
    return undefined;
  }
}

/** How each API on sale stands, and stood. */
export async function readApiStatus({ db, catalog, machineClock }: Portal): Promise<StatusNow> {
  const now = machineClock();
  const today = dayOf(now);
  const rows = await readDays(db, addDays(today, 1 - statusDays));
  return { today, apis: catalog.products.map((product) => statusOf(product, rows, now)) };
}

function statusOf({ id, gateway }: Product, rows: readonly DayRow[], now: number): ApiStatus {
  const own = rows.filter(({ serviceId }) => serviceId === id);
  const last = own.at(-1);
  const isCurrent = last !== undefined && now - last.checkedAt.getTime() < staleMs;
  return {
    productId: id,
    state: isCurrent ? stateOf(last.recent) : 'unknown',
    isAsked: gateway.health !== undefined,
    checkedAt: last?.checkedAt.toISOString() ?? null,
    days: own.map(({ day, checks, failed }) => ({ day, checks, failed })),
  };
}

/** Of the last checks: down when the last two failed, degraded when another one did. */
function stateOf(recent: string): ApiState {
  if (!recent.includes('d')) return 'up';
  return /(^|d)d$/.test(recent) ? 'down' : 'degraded';
}
