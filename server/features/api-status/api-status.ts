import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Product } from '#catalog/catalog.ts';
import { type ApiState, type ApiStatus, type StatusNow, statusDays } from '#shared/contract/public-pages.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { readText } from '#shared/platform/read-response.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import type { Portal } from '#server/portal.ts';
import { type DayRow, hasRunningGateway, readDays, storeCheck } from './store.ts';

const timeoutMs = 5000;
/** A connection that broke once is no outage. */
const againMs = 1000;
const maxBytes = 64 * 1024;
/** Older checks say nothing of now: three were missed. */
const staleMs = 4 * 60_000;

const health = z.object({ status: z.enum(['ok', 'failing']), failingProducts: z.array(z.string()).default([]) });

/**
 * Asks the gateway, where customers reach it, and stores what it says of each API. Throws, for log, health and alerts, where only the portal's own
 * connection fails: what it can't see it doesn't count.
 */
export async function checkApis(portal: Portal): Promise<void> {
  let said = await askGateway(portal);
  if (said === 'down' || said instanceof Unreachable) {
    await sleep(againMs);
    said = await askGateway(portal);
  }
  if (said === 'unknown') return;
  if (said instanceof Unreachable && (await hasRunningGateway(portal.db))) throw said;
  const isDown = typeof said === 'function' ? said : everyApi;
  const now = portal.machineClock();
  const checks = portal.catalog.products.map(({ id }) => ({ productId: id, isUp: !isDown(id) }));
  if (checks.length > 0) await storeCheck(portal.db, dayOf(now), new Date(now), checks);
}

type IsDown = (productId: string) => boolean;

const everyApi: IsDown = () => true;

class Unreachable extends Error {}

/** Down: it is unable to serve. Unknown: something before it doesn't let its health through. */
async function askGateway({ settings, log }: Portal): Promise<IsDown | 'down' | 'unknown' | Unreachable> {
  const url = `${settings.gatewayUrl}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    if (response.status >= 500) return 'down';
    const said = health.safeParse(parseJson(await readText(response, maxBytes))).data;
    if (said !== undefined) return said.status === 'ok' ? (id) => said.failingProducts.includes(id) : 'down';
    log.warn(
      { url, status: response.status },
      'the health of the gateway can not be read there: /status stays unknown',
    );
    return 'unknown';
  } catch (error) {
    return new Unreachable(
      `This portal can't reach GATEWAY_URL (${url}: ${reasonOf(error)}) while gateways run, so /status stays unknown`,
    );
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
