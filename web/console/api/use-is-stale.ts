import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { Unreachable } from '#web/api/failures.ts';

/** Whether something on screen could not be read again: it looks fresh, and is not. */
export function useIsStale(): boolean {
  const cache = useQueryClient().getQueryCache();
  const follow = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(follow, () =>
    cache
      .findAll({ type: 'active' })
      .some(({ state: { data, error } }) => data !== undefined && error instanceof Unreachable),
  );
}
