import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { CallInput, CallReply } from '#shared/contract/call.ts';
import { listRequestAlerts, listRequests, requestStreamPath } from '#shared/contract/request-log.ts';
import { followWhileSeen } from '#web/api/live-events.ts';
import { createRereading } from '#web/api/rereading.ts';
import { useCall } from '#web/api/use-call.ts';

type Query = CallInput<typeof listRequests>['query'];

/** A page of the request log. The first page follows each call; older ones stay as they were read. Not live while its last read failed. */
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
    const readAgain = createRereading(queryClient, [listRequests, listRequestAlerts]);
    return followWhileSeen(path, setIsLive, ({ event }) => {
      if (event === 'requests') readAgain();
    });
  }, [activationId, isFirstPage, queryClient]);
  return { requests, isLive: isLive && isFirstPage && !requests.isError };
}
