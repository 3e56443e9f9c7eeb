import type { EventSourceMessage } from 'eventsource-parser';
import { portalConfig } from '#web/api/config.ts';
import { loadCode } from '#web/ui/load-code.ts';

/** The server speaks at least every 15 s, if only to say that it is there. */
const silenceMs = 40_000;
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;

/**
 * Follows a stream of the backend while the page is visible (a hidden tab would use one of the browser's few
 * connections), and reopens it whenever it fails. Returns a function that ends it for good.
 */
export function followWhileSeen(
  path: string,
  onLive: (isLive: boolean) => void,
  onEvent: (event: EventSourceMessage) => void,
): () => void {
  return whileSeen((signal) => follow(path, signal, onLive, onEvent));
}

/** Follows the stream until `signal`, reopening it whenever it ends, with growing delays while it fails. */
async function follow(
  path: string,
  signal: AbortSignal,
  onLive: (isLive: boolean) => void,
  onEvent: (event: EventSourceMessage) => void,
): Promise<void> {
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    try {
      // After the page's first code: it shows what was read before anything is followed.
      const { followEvents } = await loadCode(() => import('#web/api/event-stream.ts'));
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

/**
 * Runs a task while the page is visible and online; stops it otherwise, and restarts it when both are back. Returns a
 * function that ends it for good.
 */
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
