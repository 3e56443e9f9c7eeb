import type { Log } from './log.ts';

type Closer = () => Promise<unknown> | void;

export interface ProcessLife {
  /** Registers a closer; closers run one after the other, in reverse order of registration. */
  onStop: (name: string, closer: Closer) => void;
  /** Stops the process in order; later calls wait for the first. */
  stop: (reason: string, exitCode?: number) => Promise<void>;
  /** True as soon as stopping begins, so a server can refuse new work. */
  stopping: () => boolean;
}

/** The signals by which an operator, a terminal or a service manager ends a process. */
export const endingSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Signals that arrive within this time count as one. */
export const sameSignalMs = 1000;

/**
 * Gives a process an orderly shutdown: on SIGTERM, SIGINT, SIGHUP, when the parent that started it with an IPC channel
 * is gone, or on an uncaught error. If closing takes longer than `deadlineMs`, the process exits anyway with code 1. A
 * second signal exits at once, unless it arrives with the first: a service manager signals every process of a service,
 * and npm forwards its own signal.
 */
export function createProcessLife(log: Log, deadlineMs = 10_000): ProcessLife {
  const closers: { name: string; closer: Closer }[] = [];
  let ending: Promise<void> | undefined;
  let firstSignalMs = -Infinity;

  const end = async (reason: string, exitCode: number): Promise<void> => {
    log.info({ reason }, 'stopping');
    setTimeout(() => {
      log.error({ deadlineMs }, 'stopping took longer than the deadline; exiting without waiting');
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

  for (const signal of endingSignals) {
    process.on(signal, () => {
      const nowMs = performance.now();
      if (ending !== undefined && nowMs - firstSignalMs > sameSignalMs) process.exit(1);
      if (ending === undefined) firstSignalMs = nowMs;
      void stop(signal);
    });
  }
  if (process.connected) process.on('disconnect', () => void stop('the process that started this one is gone'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught error');
    void stop('uncaught error', 1);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled promise rejection');
    void stop('unhandled promise rejection', 1);
  });

  return { onStop: (name, closer) => void closers.push({ name, closer }), stop, stopping: () => ending !== undefined };
}
