import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CallInput, CallReply } from '#contract/call.ts';
import { listRequestAlerts, listRequests, requestStreamPath } from '#contract/request-log.ts';
import { followWhileSeen } from '#web/api/live-events.ts';
import { callKey, useCall } from '#web/api/use-call.ts';

type Query = CallInput<typeof listRequests>['query'];

/** A page of the request log. The first page follows each call; older ones stay as they were read. */
export function useRequests(
  activationId: string,
  query: Query,
  isFirstPage: boolean,
): { requests: UseQueryResult<CallReply<typeof listRequests>>; isLive: boolean } {
  const queryClient = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const requests = useCall(listRequests, { params: { activationId }, query }, { keepPrevious: true });
  useEffect(() => {
    if (!isFirstPage) return undefined;
    const path = requestStreamPath.replace(':activationId', encodeURIComponent(activationId));
    return followWhileSeen(path, setIsLive, ({ event }) => {
      if (event !== 'requests') return;
      for (const call of [listRequests, listRequestAlerts]) {
        void queryClient.invalidateQueries({ queryKey: callKey(call) });
      }
    });
  }, [activationId, isFirstPage, queryClient]);
  return { requests, isLive: isLive && isFirstPage };
}
