import type { UseQueryResult } from '@tanstack/react-query';
import { type ApiKey, listApiKeys } from '#shared/contract/api-keys.ts';
import { useCall } from '#web/api/use-call.ts';

const pollMs = 5_000;

/**
 * The keys of an activation. While one of them has never been used they are read again and again: its first call is counted a moment after
 * the request log has it, or made while nothing on the page follows the log.
 */
export function useApiKeys(activationId: string): UseQueryResult<ApiKey[]> {
  return useCall(
    listApiKeys,
    { params: { activationId } },
    { refetchIntervalMs: (keys) => (keys?.some(isUnused) === true ? pollMs : undefined) },
  );
}

const isUnused = ({ isRevoked, lastUsedAt }: ApiKey): boolean => !isRevoked && lastUsedAt === null;
