import type { EventSourceMessage } from 'eventsource-parser';
import { portalConfig } from '#web/api/config.ts';
import { followEvents } from '#web/api/event-stream.ts';

/** The server speaks at least every 15 s, if only to say that it is there. */
const silenceMs = 40_000;
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;

/**
 * Follows a stream of the backend while the page is looked at (a hidden tab would hold one of the browser's few connections), and opens
 * it anew whenever it fails. Gives what ends it for good.
 */
export function followWhileSeen(
  path: string,
  onLive: (isLive: boolean) => void,
  onEvent: (event: EventSourceMessage) => void,
): () => void {
  return whileSeen((signal) => follow(path, signal, onLive, onEvent));
}

/** Follows the stream until `signal`, opening it anew whenever it ends, ever more slowly while it fails. */
async function follow(
  path: string,
  signal: AbortSignal,
  onLive: (isLive: boolean) => void,
  onEvent: (event: EventSourceMessage) => void,
): Promise<void> {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      await followEvents(`${portalConfig().backendUrl}${path}`, {
        signal,
        silenceMs,
        onOpen: () => {
          retryMs = firstRetryMs;
        },
        onEvent: (event) => {
          onEvent(event);
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
