import type { IncomingMessage } from 'node:http';
import type { Catalog } from '#catalog/catalog.ts';
import { monthlyResetsAt } from '#shared/domain/quota.ts';
import type { KeyAccess } from '#gateway/access/access-cache.ts';
import { type Admitter, identify } from '#gateway/access/admit.ts';
import type { Moment } from '#gateway/access/moment.ts';
import type { RateLimiter } from '#gateway/access/free-call-limiter.ts';
import { runningCycle } from '#gateway/access/no-plan.ts';
import { parseHeaders } from '#gateway/http/header-rules.ts';
import { cannotCheck, methodNotAllowed, quotaExceeded, type Refusal } from '#gateway/http/refusals.ts';
import type { Reply } from '#gateway/http/reply.ts';
import { sendDocument, storeDocument } from '#gateway/http/stored-document.ts';
import type { Usage, UsageQuery } from '#gateway/quota/store.ts';
import { describeGateway, type UsageResponse } from './openapi.ts';

export interface OwnEndpointsDeps extends Pick<
  Admitter,
  'cache' | 'moment' | 'proxies' | 'portalUrl' | 'databaseTimeoutMs'
> {
  catalog: Catalog;
  use: (of: UsageQuery) => Promise<Usage>;
  gatewayUrl: string;
  /** Of GET /v1/usage per key. These calls are not counted against a plan. */
  usageRateLimiter: RateLimiter;
}

/** Returns false if the call is not for an endpoint of the gateway. */
type OwnEndpoints = (req: IncomingMessage, reply: Reply) => boolean;

/** How often a key may read its usage. */
export const usageRequestsPerSecond = 10;

/** The gateway's own endpoints: its OpenAPI document, and `GET /v1/usage` for the calling key. */
export function createOwnEndpoints(deps: OwnEndpointsDeps): OwnEndpoints {
  const description = storeDocument(describeGateway(deps.gatewayUrl, deps.portalUrl, usageRequestsPerSecond));

  const readUsage = async (req: IncomingMessage): Promise<UsageResponse | Refusal> => {
    const access = await identify(deps, req, deps.moment());
    if ('refusal' in access) return access.refusal;
    const waitMs = deps.usageRateLimiter.admit(access.keyId);
    if (waitMs > 0) {
      const message = `You can read usage at most ${usageRequestsPerSecond} times per second.`;
      return quotaExceeded(['second'], message, Math.ceil(waitMs / 1000));
    }
    const moment = deps.moment();
    const { activationId, keyId } = access;
    const isLimited = access.maker !== null;
    const cycle = runningCycle(access, moment.nowMs);
    try {
      const use = await deps.use({ activationId, keyId, day: moment.day, cycleId: cycle?.id ?? '', isLimited });
      return usageOf(access, use, moment, deps.catalog.find(access.serviceId)?.name ?? 'Unknown API');
    } catch {
      return cannotCheck;
    }
  };

  return (req, reply) => {
    const { url = '' } = req;
    if (!url.startsWith('/v1/') && !url.startsWith('/openapi')) return false;
    const [path = ''] = url.split('?', 1);
    if (path !== '/v1/usage' && path !== '/openapi.json') return false;
    const send = (usage: UsageResponse): void => {
      const body = Buffer.from(JSON.stringify(usage));
      const length = String(body.length);
      const headers = ['Content-Type', 'application/json', 'Content-Length', length, 'Cache-Control', 'no-store'];
      const { res, headerLines } = reply;
      res.writeHead(200, [...parseHeaders(headerLines), ...headers]);
      res.end(req.method === 'HEAD' ? undefined : body);
    };
    if (req.method !== 'GET' && req.method !== 'HEAD')
      reply.refuse(methodNotAllowed(req.method ?? '', ['GET', 'HEAD']));
    else if (path === '/openapi.json') void description.then((document) => sendDocument(req, reply, document));
    else {
      const sendUsage = async (): Promise<void> => {
        const usage = await readUsage(req);
        if ('code' in usage) reply.refuse(usage);
        else send(usage);
      };
      void sendUsage();
    }
    return true;
  };
}

function quota(used: number, limit: number, renewsAtMs: number | undefined): UsageResponse['dailyUse'] {
  return {
    quotaUsed: used,
    quotaLimit: limit,
    quotaRemaining: Math.max(0, limit - used),
    renewsAt: renewsAtMs === undefined ? null : new Date(renewsAtMs).toISOString(),
  };
}

function usageOf(access: KeyAccess, use: Usage, { nowMs, dayEndsAt }: Moment, apiName: string): UsageResponse {
  const cycle = runningCycle(access, nowMs);
  return {
    activationId: access.activationId,
    apiName,
    plan: cycle === undefined ? null : { id: cycle.planId, name: cycle.planName },
    from: cycle?.fromDate ?? null,
    to: cycle?.toDate ?? null,
    callsPerSecond: cycle?.rps ?? 0,
    dailyUse: quota(use.dayUsed, cycle?.dailyQuota ?? 0, cycle && dayEndsAt),
    monthlyUse: quota(
      use.cycleUsed,
      cycle?.monthlyQuota ?? 0,
      cycle && monthlyResetsAt(cycle.endsAt, cycle.windowEndsAt, nowMs),
    ),
    key: { id: access.keyId, isTest: access.test, usedToday: use.keyUsed, dailyCap: access.dailyCap },
    member: access.maker === null ? null : { usedToday: use.memberUsed, dailyLimit: access.maker.dailyLimit },
    asOf: new Date(nowMs).toISOString(),
  };
}
