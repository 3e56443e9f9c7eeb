import { admitCall, createRateWindow, type RateWindow } from '#domain/rate-limit.ts';

/** Calls per second of keys whose calls take nothing from a plan: test keys, and questions about usage. */
export interface KeyWindows {
  limit: number;
  /** Admits a call of a key and gives 0, or gives the milliseconds to wait. */
  admit: (keyId: string) => number;
}

/** More keys at once than this are not remembered: their windows begin anew. */
const maxKeys = 20_000;

export function createKeyWindows(limit: number): KeyWindows {
  const windows = new Map<string, RateWindow>();
  return {
    limit,
    admit: (keyId) => {
      let window = windows.get(keyId);
      if (window === undefined) {
        if (windows.size >= maxKeys) windows.clear();
        windows.set(keyId, (window = createRateWindow(limit)));
      }
      return admitCall(window, performance.now());
    },
  };
}
