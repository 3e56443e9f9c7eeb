import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Usage, readUsage, usageEventSchema, usageStreamPath } from '#contract/usage.ts';
import { portalConfig } from '#web/api/config.ts';
import { followEvents } from '#web/api/event-stream.ts';
import { callKey, useCall } from '#web/api/use-call.ts';

/** While the stream is down, the numbers are read this often. */
const pollMs = 5_000;
/** The server speaks at least every 15 s, if only to say that it is there. */
const silenceMs = 40_000;
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;

/**
 * The use of an activation, following each call. The stream is open while the page is looked at (a hidden tab would hold one
 * of the browser's few connections); when it fails, the numbers are read again and again until it is back.
 */
export function useLiveUsage(activationId: string): { usage: UseQueryResult<Usage>; isLive: boolean } {
  const queryClient = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  const input = { params: { activationId } };
  const usage = useCall(readUsage, input, { refetchIntervalMs: isLive ? undefined : pollMs });

  useEffect(() => {
    const key = callKey(readUsage, { params: { activationId } });
    return whileSeen((signal) =>
      follow(activationId, signal, setIsLive, (insights) => {
        queryClient.setQueryData<Usage>(key, (before) => before && { ...before, insights });
      }),
    );
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

/** Follows the stream until `signal`, opening it anew whenever it ends, ever more slowly while it fails. */
async function follow(
  activationId: string,
  signal: AbortSignal,
  onLive: (isLive: boolean) => void,
  onInsights: (insights: Usage['insights']) => void,
): Promise<void> {
  const path = usageStreamPath.replace(':activationId', encodeURIComponent(activationId));
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await followEvents(`${portalConfig().backendUrl}${path}`, {
        signal,
        silenceMs,
        onOpen: () => {
          retryMs = firstRetryMs;
        },
        onEvent: ({ name, data }) => {
          if (name !== 'usage') return;
          onInsights(usageEventSchema.parse(JSON.parse(data)));
          onLive(true);
        },
      });
    } catch {
      retryMs = Math.min(retryMs * 2, lastRetryMs);
    }
    onLive(false);
    await pause(retryMs, signal);
  }
}

/** Runs a thing while the page is seen and there is a network; ends it otherwise, begins anew when both are back. Gives what ends it for good. */
function whileSeen(run: (signal: AbortSignal) => Promise<void>): () => void {
  let current: AbortController | undefined;
  const turn = () => {
    if (document.visibilityState === 'hidden' || !navigator.onLine) {
      current?.abort();
      current = undefined;
    } else if (current === undefined) {
      current = new AbortController();
      void run(current.signal);
    }
  };
  turn();
  const end = new AbortController();
  document.addEventListener('visibilitychange', turn, end);
  window.addEventListener('online', turn, end);
  window.addEventListener('offline', turn, end);
  return () => {
    end.abort();
    current?.abort();
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
