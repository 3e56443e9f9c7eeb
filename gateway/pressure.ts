import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Keeps this process from taking more calls than it can carry. While the event loop runs late, calls of those who already have more
 * than their fair share under way are refused at once; the bound follows the delay, so that it fits any machine and any product.
 */
export interface Pressure {
  /** May one more call of this customer begin? */
  admits: (share: Share) => boolean;
  enter: (share: Share) => void;
  leave: (share: Share) => void;
  stop: () => void;
}

/** A customer's calls under way; changed in place. */
export interface Share {
  underWay: number;
}

export interface PressureSettings {
  /** The event loop may run this late, on average, before calls are refused. */
  targetDelayMs: number;
  /** Answers the mean delay of the event loop since the last time, in milliseconds. */
  readDelayMs: () => number;
}

const sampleMs = 100;
/** A burst that is over after some samples is no overload. */
const samplesUntilLate = 5;
/** The bound never falls below what keeps the process busy, and never hides that there is none. */
const fewest = 64;
const most = 65_536;
/** How the bound follows: down at once in proportion to the delay, up slowly. */
const growth = 1.25;

export function createPressure({ targetDelayMs, readDelayMs }: PressureSettings): Pressure {
  let underWay = 0;
  let customers = 0;
  let bound = most;
  let late = 0;

  const sample = (): void => {
    const delayMs = readDelayMs();
    late = delayMs > targetDelayMs ? late + 1 : 0;
    if (late >= samplesUntilLate) bound = Math.max(fewest, Math.floor((underWay * targetDelayMs) / delayMs));
    else if (late === 0) bound = Math.min(most, Math.ceil(bound * growth));
  };
  const timer = setInterval(sample, sampleMs).unref();

  return {
    admits: (share) => {
      // Beyond the bound everyone keeps a fair share, so that a customer with few calls does not notice.
      return underWay < bound || share.underWay * customers < bound;
    },
    enter: (share) => {
      underWay += 1;
      if (share.underWay === 0) customers += 1;
      share.underWay += 1;
    },
    leave: (share) => {
      underWay -= 1;
      share.underWay -= 1;
      if (share.underWay === 0) customers -= 1;
    },
    stop: () => clearInterval(timer),
  };
}

/** The delay of this process's event loop, from Node's own histogram. */
export function watchEventLoop(): { readDelayMs: () => number; stop: () => void } {
  const resolutionMs = 20;
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  return {
    readDelayMs: () => {
      // The histogram measures from tick to tick; what is over its own pace is the delay.
      const delayMs = histogram.count === 0 ? 0 : histogram.mean / 1e6 - resolutionMs;
      histogram.reset();
      return Math.max(0, delayMs);
    },
    stop: () => void histogram.disable(),
  };
}
