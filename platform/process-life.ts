import type { Log } from './log.ts';

type Closer = () => Promise<unknown> | void;

export interface ProcessLife {
  /** Registers what must be closed at the end; closers run in reverse order of registration, one after the other. */
  onStop: (name: string, closer: Closer) => void;
  /** Ends the process in order; later calls wait for the first. */
  stop: (reason: string, exitCode?: number) => Promise<void>;
  /** True from the first sign of the end: a server can refuse new work. */
  stopping: () => boolean;
}

/** Signals that come this close together are one. */
const sameSignalMs = 1000;

/**
 * Gives a process an orderly end: on SIGTERM, SIGINT, SIGHUP, when the parent that started it with a channel (IPC) is
 * gone, or on an error that nobody caught. If closing takes longer than `deadlineMs`, the process ends anyway with
 * exit code 1. A second signal ends it at once, unless it comes with the first: a service manager signals every process of a
 * service, and npm passes on what it got.
 */
export function createProcessLife(log: Log, deadlineMs = 10_000): ProcessLife {
  const closers: { name: string; closer: Closer }[] = [];
  let ending: Promise<void> | undefined;
  let firstSignalMs = -Infinity;

  const end = async (reason: string, exitCode: number): Promise<void> => {
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error({ deadlineMs }, 'stopping took too long; the process ends without waiting');
      process.exit(1);
    }, deadlineMs).unref();
    let code = exitCode;
    for (const { name, closer } of closers.toReversed()) {
      try {
        await closer();
      } catch (error) {
        code = 1;
        log.error({ err: error, closing: name }, 'could not close cleanly');
      }
    }
    log.info('stopped');
    process.exit(code);
  };
  const stop = (reason: string, exitCode = 0): Promise<void> => (ending ??= end(reason, exitCode));

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (ending !== undefined && nowMs - firstSignalMs > sameSignalMs) process.exit(1);
      if (ending === undefined) firstSignalMs = nowMs;
      void stop(signal);
    });
  }
  if (process.connected) process.on('disconnect', () => void stop('the process that started this one is gone'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an error that nobody caught');
    void stop('an error that nobody caught', 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'a rejected promise that nobody awaited');
    void stop('a rejected promise that nobody awaited', 1);
  });

  return { onStop: (name, closer) => void closers.push({ name, closer }), stop, stopping: () => ending !== undefined };
}
