import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import SonicBoom from 'sonic-boom';
import type { Log } from '#shared/platform/log.ts';
import type { CallInfo, Outcome } from './call-info.ts';
import { maskPath } from './mask-path.ts';
import type { RequestLog } from './request-log.ts';

/** One line of JSON per call, for programs of the operator. A call never waits for it. */
export interface AccessLog {
  call: (call: CallInfo, outcome: Outcome, latencyMs: number) => void;
  /** The outcome of a call whose line is written has changed: its response broke off. */
  corrected: (call: CallInfo, outcome: Outcome) => void;
  /** A request without a known key. */
  refused: (request: RefusedRequest) => void;
  /** Writes what is left. */
  close: () => Promise<void>;
}

interface RefusedRequest {
  requestId: string;
  method: string;
  target: string;
  status: number;
  code: string;
}

/** Lines wait at most this long, so that many are written at once. */
const flushMs = 250;
const writeBytes = 8 * 1024;
/** Limits memory use while the disk is slow; lines beyond it are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024;
const watchMs = 1000;
/** A full disk is reported this often. */
const reportMs = 60_000;
/** A disk that takes longer loses the last lines. */
const closeMs = 1000;

/** Appends to a file, and opens it again when a program such as logrotate has moved it away: no signal is needed. */
export function openAccessLog(file: string, log: Log, now: () => number = Date.now): AccessLog {
  // Not by way of pino, which writes the rest in one go when the process ends, and repeats that without end while the disk is full.
  const open = (): SonicBoom => {
    const opened = new SonicBoom({
      dest: file,
      sync: false,
      minLength: writeBytes,
      maxLength: maxWaitingBytes,
      mode: 0o640,
    });
    opened.on('error', onError);
    opened.on('drop', () => (dropped += 1));
    // A slow one may be ready after it was replaced.
    opened.on('ready', () => {
      if (opened === destination) onReady();
    });
    return opened;
  };
  let closing = false;
  let failing = false;
  /** Without a file, a write or flush throws; until the first attempt to open one has ended, lines wait. */
  let hasFile = false;
  let reportedAtMs = -Infinity;
  let dropped = 0;
  let identity = '';
  const onError = (error: Error): void => {
    failing = true;
    if (performance.now() - reportedAtMs < reportMs) return;
    reportedAtMs = performance.now();
    log.error({ file, reason: error.message }, 'could not write the access log; lines are lost until it can');
  };
  const identityOf = (): Promise<string> =>
    stat(file).then(
      ({ dev, ino }) => `${dev} ${ino}`,
      () => '',
    );
  const remember = async (): Promise<void> => void (identity = await identityOf());
  const onReady = (): void => {
    failing = false;
    hasFile = true;
    void remember();
  };
  let destination = open();
  const watch = async (): Promise<void> => {
    const found = await identityOf();
    if (closing) return;
    // What has never had a file can't reopen it.
    if (failing && !hasFile) destination = open();
    else if (failing || (identity !== '' && found !== identity)) destination.reopen();
  };
  const timer = setInterval(() => {
    if (dropped > 0) log.warn({ dropped }, 'the disk is too slow for the access log: lines were dropped');
    dropped = 0;
    void watch();
  }, watchMs).unref();

  const flushTimer = setInterval(() => {
    if (hasFile) destination.flush();
  }, flushMs).unref();

  const write = (line: string): void => {
    if (!closing && (hasFile || !failing)) destination.write(line);
  };

  return {
    call: (call, outcome, latencyMs) => {
      write(`${aboutCall(call, outcome)},"ms":${Math.max(0, latencyMs).toFixed(1)}}\n`);
    },
    corrected: (call, outcome) => write(`${aboutCall(call, outcome)},"corrected":true}\n`),
    refused: ({ requestId, method, target, status, code }) => {
      write(
        `{"time":"${new Date(now()).toISOString()}","requestId":"${requestId}","method":${quoted(method)},"path":${quoted(maskPath(target))},"status":${status},"units":0,"outcome":"refused","problem":"${code}"}\n`,
      );
    },
    close: async () => {
      closing = true;
      clearInterval(timer);
      clearInterval(flushTimer);
      const ended = once(destination, 'close');
      destination.end();
      await Promise.race([ended, sleep(closeMs, undefined, { ref: false })]).catch(() => {});
      ended.catch(() => {});
      destination.destroy();
    },
  };
}

/** Joined by hand: a call has a few microseconds. All values but method, path and problem are ids, which need no escaping. */
function aboutCall({ access, requestId, at, method, target, trace }: CallInfo, outcome: Outcome): string {
  const traceId = trace === undefined ? '' : `,"traceId":"${trace.traceId}"`;
  const prefix = access.keyPrefix === null ? '' : `,"keyPrefix":"${access.keyPrefix}"`;
  const problem = outcome.problem === undefined ? '' : `,"problem":${JSON.stringify(outcome.problem)}`;
  return `{"time":"${new Date(at).toISOString()}","requestId":"${requestId}"${traceId},"customer":"${access.customerId}","activation":"${access.activationId}","key":"${access.keyId}"${prefix},"product":"${access.serviceId}","method":${quoted(method)},"path":${quoted(maskPath(target))},"status":${outcome.status},"units":${outcome.units},"outcome":"${outcome.reason}"${problem}`;
}

const plain = /^[\w/.~*-]*$/;

function quoted(text: string): string {
  return plain.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Also writes each call that is recorded to the access log. */
export function withAccessLog(requestLog: RequestLog, accessLog: AccessLog): RequestLog {
  return {
    ...requestLog,
    record: (call, outcome, latencyMs) => {
      accessLog.call(call, outcome, latencyMs);
      return requestLog.record(call, outcome, latencyMs);
    },
    correct: (batch, index, call, before, after) => {
      accessLog.corrected(call, after);
      requestLog.correct(batch, index, call, before, after);
    },
  };
}
