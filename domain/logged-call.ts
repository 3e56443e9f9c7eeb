import { type CallOutcome, callOutcomeNames } from './metering.ts';

/** One call as the request log keeps it. */
export interface LoggedCall {
  requestId: string;
  /** When it came, in epoch milliseconds. */
  at: number;
  method: string;
  /** Without its query; whatever could name a taxpayer is masked. */
  path: string;
  status: number;
  /** In whole milliseconds. */
  latencyMs: number;
  counted: boolean;
  reason: CallOutcome;
}

/**
 * A call as a line of a batch of the request log, with its line end: fields parted by spaces, none of which can hold one. The path is
 * ASCII once it is masked, and a method is a token (RFC 9110 §5.6.2).
 */
export function writeCallLine(call: LoggedCall): string {
  return `${call.requestId} ${call.at} ${call.method} ${call.path} ${call.status} ${call.latencyMs} ${call.counted ? 1 : 0} ${call.reason}\n`;
}

const outcomes: ReadonlySet<string> = new Set(callOutcomeNames);
const isOutcome = (word: string): word is CallOutcome => outcomes.has(word);

/** The calls of a batch, in the order in which they were written. Throws on a line that is none. */
export function readCallLines(text: string): LoggedCall[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [requestId = '', at, method = '', path = '', status, latencyMs, counted, reason = '', ...more] =
        line.split(' ');
      if (more.length > 0 || !isOutcome(reason)) throw new Error('this is no line of the request log');
      return {
        requestId,
        at: Number(at),
        method,
        path,
        status: Number(status),
        latencyMs: Number(latencyMs),
        counted: counted === '1',
        reason,
      };
    });
}
