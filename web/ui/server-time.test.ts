import { afterEach, expect, test, vi } from 'vitest';
import { noteServerTime, onServerTime, serverNow } from '#web/ui/server-time.ts';

afterEach(() => vi.useRealTimers());

test('the time is the server’s, as the last response brought it, and goes on from there', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z') });
  const heard = vi.fn<() => void>();
  const unsubscribe = onServerTime(heard);
  noteServerTime('2026-11-23T10:00:00.000Z');
  expect(heard).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(5_000);
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-23T10:00:05.000Z');
  unsubscribe();
  noteServerTime(null);
  noteServerTime('no time');
  expect(heard).toHaveBeenCalledTimes(1);
  expect(new Date(serverNow()).toISOString()).toBe('2026-11-23T10:00:05.000Z');
});
