import type { FastifyInstance } from 'fastify';
import { createApiKey, listApiKeys, revokeApiKey as revokeApiKeyCall } from '#contract/api-keys.ts';
import { done } from '#contract/values.ts';
import { requireActivation } from '#server/features/activations/activations.ts';
import { handle } from '#server/platform/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { generateApiKey, revokeApiKey } from './api-keys.ts';
import { selectApiKeys } from './store.ts';

export function apiKeysRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, listApiKeys, async ({ caller, params }) => {
    await requireActivation(caller, portal.db, params.activationId);
    const keys = await selectApiKeys(caller, portal.db, params.activationId);
    return keys.map((key) => ({
      id: key.id,
      keyName: key.name,
      createdAt: key.created_at.toISOString(),
      isRevoked: key.revoked_at !== null,
      revokedAt: key.revoked_at?.toISOString() ?? null,
      hint: key.hint,
      lastUsedAt: key.last_used_at?.toISOString() ?? null,
    }));
  });

  handle(
    app,
    portal,
    createApiKey,
    ({ caller, params, body }) => generateApiKey(portal, caller, params.activationId, body.keyName),
    { perMinute: 20 },
  );

  handle(app, portal, revokeApiKeyCall, async ({ caller, params }) => {
    await revokeApiKey(portal, caller, params.activationId, params.keyId);
    return done;
  });
}
