import type { FastifyInstance } from 'fastify';
import {
  createApiKey,
  createTryKey,
  listApiKeys,
  revokeApiKey as revokeApiKeyCall,
  rotateApiKey as rotateApiKeyCall,
  updateApiKey,
} from '#shared/contract/api-keys.ts';
import { done } from '#shared/contract/values.ts';
import { dayOf } from '#shared/domain/day.ts';
import { requireActivation } from '#server/features/ownership/ownership.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { changeApiKey, generateApiKey, generateTryKey, revokeApiKey, rotateApiKey } from './api-keys.ts';
import { readTests, selectApiKeys, selectCallsOfDay, selectLastClients } from './listed-keys.ts';

export function apiKeysRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listApiKeys, async ({ owner, params }) => {
    await requireActivation(owner, portal.db, params.activationId);
    const keys = await selectApiKeys(owner, portal.db, params.activationId);
    const now = portal.clock();
    const keyIds = keys.map(({ id }) => id);
    const calls = await selectCallsOfDay(owner, portal.db, keyIds, dayOf(now));
    const testKeys = keys.filter(({ test }) => test).map(({ id }) => id);
    const tests = await readTests(portal, testKeys, dayOf(now));
    const clients = await selectLastClients(owner, portal.db, keyIds);
    return keys.map((key) => ({
      id: key.id,
      keyName: key.name,
      createdAt: key.created_at.toISOString(),
      isRevoked: key.revoked_at !== null,
      revokedAt: key.revoked_at?.toISOString() ?? null,
      hint: key.hint,
      lastUsedAt: laterOf(key.last_used_at, tests.last.get(key.id))?.toISOString() ?? null,
      callsToday: (calls.get(key.id) ?? 0) + (tests.ofDay.get(key.id) ?? 0),
      lastClient: clients.get(key.id) ?? null,
      isTest: key.test,
      expiresAt: key.expires_at?.toISOString() ?? null,
      isExpired: key.expires_at !== null && key.expires_at.getTime() <= now,
      allowedIps: key.allowed_ips,
      dailyCap: key.daily_cap,
      replacedBy: key.replaced_by,
    }));
  });

  handle(
    app,
    portal,
    createApiKey,
    ({ owner, params, body }) => generateApiKey(portal, owner, params.activationId, body),
    { perMinute: 20 },
  );

  handle(app, portal, createTryKey, ({ owner, params }) => generateTryKey(portal, owner, params.activationId), {
    perMinute: 20,
  });

  handle(
    app,
    portal,
    updateApiKey,
    async ({ owner, params, body }) => {
      const effectiveBy = await changeApiKey(portal, owner, params.activationId, params.keyId, body);
      return { ...done, effectiveBy };
    },
    { perMinute: 60 },
  );

  handle(
    app,
    portal,
    rotateApiKeyCall,
    ({ owner, params, body }) => rotateApiKey(portal, owner, params.activationId, params.keyId, body.overlapHours),
    { perMinute: 20 },
  );

  handle(app, portal, revokeApiKeyCall, async ({ owner, params }) => {
    const effectiveBy = await revokeApiKey(portal, owner, params.activationId, params.keyId);
    return { ...done, effectiveBy };
  });
}

function laterOf(one: Date | null, other: Date | undefined): Date | null {
  return other !== undefined && (one === null || other > one) ? other : one;
}
