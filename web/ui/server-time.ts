/** How far the server's clock is ahead of the browser's. Days, dates and deadlines are the server's. */
let aheadMs = 0;
const listeners = new Set<() => void>();

/** Notes the server's time, as a response brought it (ISO 8601). Without it, the browser's own clock does. */
export function noteServerTime(instant: string | null): void {
  const at = Date.parse(instant ?? '');
  if (Number.isNaN(at)) return;
  aheadMs = at - Date.now();
  for (const listener of listeners) listener();
}

/** The server's time now, in epoch milliseconds. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}

/** Calls back when a response brought the server's time. Returns a function to unsubscribe. */
export function onServerTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
