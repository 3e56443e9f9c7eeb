import { type QueryClient, type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import type { EventSourceMessage } from 'eventsource-parser';
import { useEffect, useState } from 'react';
import { type Usage, readUsage, usageEventSchema, usageStreamPath } from '#shared/contract/usage.ts';
import { followWhileSeen } from '#web/api/live-events.ts';
import { createRereading } from '#web/api/rereading.ts';
import { callKey, useCall } from '#web/api/use-call.ts';

/** While the stream is down, the numbers are read this often. */
const pollMs = 5_000;

/**
 * The use of an activation, following each call. The stream is open while the page is looked at; when it fails, the numbers are read again and again until it is back.
 */
export function useLiveUsage(activationId: string): { usage: UseQueryResult<Usage>; isLive: boolean } {
  const queryClient = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const input = { params: { activationId } };
  const usage = useCall(readUsage, input, { refetchIntervalMs: (reply) => (isLive ? renewalMs(reply) : pollMs) });

  useEffect(() => {
    const path = usageStreamPath.replace(':activationId', encodeURIComponent(activationId));
    return followWhileSeen(path, setIsLive, showEvents(queryClient, activationId));
  }, [activationId, queryClient]);

  return { usage, isLive };
}

/** What to do with each event: its numbers replace those on screen. */
export function showEvents(queryClient: QueryClient, activationId: string): (event: EventSourceMessage) => void {
  const key = callKey(readUsage, { params: { activationId } });
  const readAgain = createRereading(queryClient, [readUsage]);
  return ({ event, data }) => {
    if (event !== 'usage') return;
    const insights = usageEventSchema.parse(JSON.parse(data));
    queryClient.setQueryData<Usage>(key, (before) => before && { ...before, insights });
    // A read that is under way may have begun before, and would put older numbers in their place.
    if (queryClient.isFetching({ queryKey: key }) > 0) readAgain();
  };
}

/** How long until the numbers change without a call: at midnight, or at the cycle's end. */
function renewalMs(usage: Usage | undefined): number | undefined {
  const renewsAt = usage?.insights.dailyUse.renewsAt ?? null;
  if (usage === undefined || renewsAt === null) return undefined;
  return Math.max(Date.parse(renewsAt) - Date.parse(usage.insights.asOf) + 1_000, pollMs);
}
