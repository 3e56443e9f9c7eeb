import { constants } from 'node:os';
import { endingSignals, sameSignalMs } from './process-life.ts';
import { reasonOf } from './reason.ts';

/** Of all work that is under way, the newest last. */
const pending: (() => Promise<void>)[] = [];
let stoppedAtMs: number | undefined;

/**
 * Runs `work` and then `cleanUp`, once: also when the work fails, and when a signal ends the process in the middle of it. The process then
 * exits with 128 + the number of the signal, as a shell does. One that handles signals itself calls `cleanUpAll` when it stops.
 */
export async function withCleanUp<Result>(
  work: () => Promise<Result>,
  cleanUp: () => Promise<void> | void,
): Promise<Result> {
  let cleaning: Promise<void> | undefined;
  const cleanUpOnce = (): Promise<void> => (cleaning ??= (async () => cleanUp())());
  if (pending.length === 0) listen();
  pending.push(cleanUpOnce);
  try {
    return await work();
  } finally {
    // Work that fails because it is being stopped says nothing: the process is about to end.
    if (stoppedAtMs !== undefined) await new Promise(() => {});
    try {
      await cleanUpOnce();
    } finally {
      pending.splice(pending.indexOf(cleanUpOnce), 1);
      if (pending.length === 0) for (const signal of endingSignals) process.removeListener(signal, onSignal);
    }
  }
}

/** Opens something, and remembers how it is closed. */
export type Open = <Opened>(
  opening: Promise<Opened> | Opened,
  close: (opened: Opened) => Promise<void> | void,
) => Promise<Opened>;

/** Runs work that opens one thing after another, and closes them in reverse order, as `withCleanUp` does; all of them, also when one can't be closed. */
export function withOpened<Result>(work: (open: Open) => Promise<Result>): Promise<Result> {
  const closing: (() => Promise<void> | void)[] = [];
  const open: Open = async (opening, close) => {
    const opened = await opening;
    closing.push(() => close(opened));
    return opened;
  };
  return withCleanUp(
    () => work(open),
    async () => {
      const faults: unknown[] = [];
      for (const close of closing.toReversed()) await (async () => close())().catch((error) => faults.push(error));
      if (faults.length > 0) throw faults[0];
    },
  );
}

/** Runs the clean-ups of all work that is under way, in reverse order, before the process ends. */
export async function cleanUpAll(): Promise<void> {
  stoppedAtMs = performance.now();
  for (const cleanUp of pending.toReversed()) {
    await cleanUp().catch((error: unknown) => {
      process.stderr.write(`Could not clean up: ${reasonOf(error)}\n`);
    });
  }
}

function listen(): void {
  for (const signal of endingSignals) if (process.listenerCount(signal) === 0) process.on(signal, onSignal);
}

function onSignal(signal: NodeJS.Signals): void {
  const exitCode = 128 + constants.signals[signal];
  if (stoppedAtMs !== undefined) {
    // A terminal and npm may both send the same one; a later one ends the process at once.
    if (performance.now() - stoppedAtMs > sameSignalMs) process.exit(exitCode);
    return;
  }
  process.stderr.write('Stopping …\n');
  void cleanUpAll().then(() => process.exit(exitCode));
}
