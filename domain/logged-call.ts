import { type Day, startOfDay } from './day.ts';
import { type CallOutcome, callOutcomeNames } from './metering.ts';
import { readRequestId, requestIdBytes, writeRequestId } from './request-id.ts';

/** One call as the request log keeps it. */
export interface LoggedCall extends CallSort {
  requestId: string;
  /** When it came, in epoch milliseconds. */
  at: number;
  /** In whole milliseconds. */
  latencyMs: number;
}

/** The fields that most calls of a key share, stored once in the dictionary of their batch. */
export interface CallSort {
  method: string;
  /** Without its query; anything that could identify a taxpayer is masked. */
  path: string;
  status: number;
  counted: boolean;
  reason: CallOutcome;
}

/**
 * A call type as an entry of a dictionary, whose entries are separated by line ends: fields separated by spaces, none
 * of which can contain either. The path is ASCII once it is masked, and a method is a token (RFC 9110 §5.6.2).
 */
export function writeCallSort({ method, path, status, counted, reason }: CallSort): string {
  return `${method} ${path} ${status} ${counted ? 1 : 0} ${reason}`;
}

/** A call as a record in a batch of one IST day (decision 018). */
export interface CallRecord {
  requestId: string;
  /** Milliseconds from 00:00 IST until it came. */
  sinceMidnightMs: number;
  /** Whole milliseconds, at most four hours. */
  latencyMs: number;
  /** The index of its type in the dictionary, from 0. */
  sort: number;
}

/**
 * Each record has the same length: 15 bytes of the request id, 4 of the time, 3 of the latency, 2 of the type, high
 * bytes first.
 */
export const callRecordBytes = 24;
const atTime = requestIdBytes;
const atLatency = atTime + 4;
/** Where in a record the two bytes of its type are. */
export const sortInRecord = atLatency + 3;
const longestLatencyMs = 0xff_ff_ff;

/** Writes the bytes of a record at `offset`. */
export function writeCallRecord(call: CallRecord, bytes: Uint8Array, offset: number): void {
  const { sinceMidnightMs: time, sort } = call;
  const latency = Math.min(call.latencyMs, longestLatencyMs);
  writeRequestId(call.requestId, bytes, offset);
  bytes[offset + atTime] = time >>> 24;
  bytes[offset + atTime + 1] = time >>> 16;
  bytes[offset + atTime + 2] = time >>> 8;
  bytes[offset + atTime + 3] = time;
  bytes[offset + atLatency] = latency >>> 16;
  bytes[offset + atLatency + 1] = latency >>> 8;
  bytes[offset + atLatency + 2] = latency;
  bytes[offset + sortInRecord] = sort >>> 8;
  bytes[offset + sortInRecord + 1] = sort;
}

const outcomes: ReadonlySet<string> = new Set(callOutcomeNames);
const isOutcome = (word: string): word is CallOutcome => outcomes.has(word);

function readCallSort(entry: string): CallSort {
  const [method = '', path = '', status, counted, reason = '', ...more] = entry.split(' ');
  if (more.length > 0 || !isOutcome(reason)) throw new Error('malformed dictionary entry of the request log');
  return { method, path, status: Number(status), counted: counted === '1', reason };
}

/** The calls of a batch, in the order in which they were written. Throws when the batch is malformed. */
export function readCalls(day: Day, dictionary: string, records: Uint8Array): LoggedCall[] {
  const sorts = dictionary.split('\n').map(readCallSort);
  const midnight = startOfDay(day);
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const calls: LoggedCall[] = [];
  for (let offset = 0; offset < records.length; offset += callRecordBytes) {
    const sort = sorts[view.getUint16(offset + sortInRecord)];
    if (sort === undefined) throw new Error('this record has no entry in the dictionary of its batch');
    calls.push({
      requestId: readRequestId(records, offset),
      at: midnight + view.getUint32(offset + atTime),
      latencyMs: view.getUint32(offset + atLatency - 1) & longestLatencyMs,
      ...sort,
    });
  }
  return calls;
}
