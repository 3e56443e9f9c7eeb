import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Usage, readUsage, usageEventSchema, usageStreamPath } from '#contract/usage.ts';
import { followWhileSeen } from '#web/api/live-events.ts';
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
  const usage = useCall(readUsage, input, { refetchIntervalMs: isLive ? undefined : pollMs });

  useEffect(() => {
    const key = callKey(readUsage, { params: { activationId } });
    const path = usageStreamPath.replace(':activationId', encodeURIComponent(activationId));
    return followWhileSeen(path, setIsLive, ({ event, data }) => {
      if (event !== 'usage') return;
      const insights = usageEventSchema.parse(JSON.parse(data));
      queryClient.setQueryData<Usage>(key, (before) => before && { ...before, insights });
    });
  }, [activationId, queryClient]);

  // At midnight and at the cycle's end the numbers change without a call.
  const renewsAt = usage.data?.insights.dailyUse.renewsAt ?? null;
  const asOf = usage.data?.insights.asOf;
  useEffect(() => {
    if (renewsAt === null || asOf === undefined) return undefined;
    const key = callKey(readUsage, { params: { activationId } });
    const wait = Date.parse(renewsAt) - Date.parse(asOf) + 1_000;
    const timer = setTimeout(() => void queryClient.invalidateQueries({ queryKey: key }), Math.max(wait, pollMs));
    return () => clearTimeout(timer);
  }, [activationId, asOf, queryClient, renewsAt]);

  return { usage, isLive };
}
