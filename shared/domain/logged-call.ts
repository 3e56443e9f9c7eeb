import { type Day, startOfDay } from './day.ts';
import { type CallOutcome, callOutcomeNames } from './metering.ts';
import { readRequestId, requestIdBytes, writeRequestId } from './request-id.ts';

/** One call as the request log keeps it. */
export interface LoggedCall extends CallType {
  requestId: string;
  /** When it came, in epoch milliseconds. */
  at: number;
  /** In whole milliseconds. */
  latencyMs: number;
}

/** The fields that most calls of a key share, stored once in the dictionary of their batch. */
export interface CallType {
  method: string;
  /** Without its query; anything that could identify a taxpayer is masked. */
  path: string;
  status: number;
  /** Units of quota that it used; 0 if it was not counted. */
  units: number;
  reason: CallOutcome;
  /** As `writeProblem` writes it; undefined for a call without a problem, or logged before problems were. */
  problem?: string | undefined;
}

/**
 * A call type as an entry of a dictionary, whose entries are separated by line ends: fields separated by spaces, none
 * of which can contain either. The path is ASCII once it is masked, and a method is a token (RFC 9110 §5.6.2).
 */
export function writeCallType({ method, path, status, units, reason, problem }: CallType): string {
  const entry = `${method} ${path} ${status} ${units} ${reason}`;
  return problem === undefined ? entry : `${entry} ${problem}`;
}

/** A call as a record in a batch of one IST day (decision 018). */
export interface CallRecord {
  requestId: string;
  /** Milliseconds from 00:00 IST until it came. */
  sinceMidnightMs: number;
  /** Whole milliseconds, at most four hours. */
  latencyMs: number;
  /** The index of its type in the dictionary, from 0. */
  type: number;
}

/**
 * The records of a batch begin with a byte, the version of their format. Each has the same length: 15 bytes of the request id, 4 of the time,
 * 3 of the latency, 2 of the type, high bytes first.
 */
export const recordsVersion = 1;
const callRecordBytes = 24;
/** Length of that many records; also where the next one begins. */
export const recordsBytes = (calls: number): number => 1 + calls * callRecordBytes;
const atTime = requestIdBytes;
const atLatency = atTime + 4;
const atType = atLatency + 3;
/** Where the two bytes of the type of a record are. */
export const typeOffset = (index: number): number => recordsBytes(index) + atType;
const maxLatencyMs = 0xff_ff_ff;

/** Writes record `index` of a batch, and with the first one the version. */
export function writeCallRecord(call: CallRecord, bytes: Uint8Array, index: number): void {
  const { sinceMidnightMs: time, type } = call;
  const offset = recordsBytes(index);
  if (index === 0) bytes[0] = recordsVersion;
  const latency = Math.min(call.latencyMs, maxLatencyMs);
  writeRequestId(call.requestId, bytes, offset);
  bytes[offset + atTime] = time >>> 24;
  bytes[offset + atTime + 1] = time >>> 16;
  bytes[offset + atTime + 2] = time >>> 8;
  bytes[offset + atTime + 3] = time;
  bytes[offset + atLatency] = latency >>> 16;
  bytes[offset + atLatency + 1] = latency >>> 8;
  bytes[offset + atLatency + 2] = latency;
  bytes[offset + atType] = type >>> 8;
  bytes[offset + atType + 1] = type;
}

const outcomes: ReadonlySet<string> = new Set(callOutcomeNames);
const isOutcome = (word: string): word is CallOutcome => outcomes.has(word);

function readCallType(entry: string): CallType {
  const [method = '', path = '', status, units, reason = '', problem, ...more] = entry.split(' ');
  if (more.length > 0 || !isOutcome(reason)) throw new Error('malformed dictionary entry of the request log');
  const type = { method, path, status: Number(status), units: Number(units), reason };
  return problem === undefined ? type : { ...type, problem };
}

/**
 * The calls of a batch whose type is wanted, in the order in which they were written. Throws when the batch is malformed, or of a format that
 * this version doesn't know.
 */
export function readCalls(
  day: Day,
  dictionary: string,
  records: Uint8Array,
  isWanted: (type: CallType) => boolean = () => true,
): LoggedCall[] {
  const types = dictionary.split('\n').map((entry) => {
    const type = readCallType(entry);
    return { type, isWanted: isWanted(type) };
  });
  if (records[0] !== recordsVersion) throw new Error(`unknown format of the request log: ${records[0]}`);
  const midnight = startOfDay(day);
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  const calls: LoggedCall[] = [];
  for (let offset = recordsBytes(0); offset < records.length; offset += callRecordBytes) {
    const of = types[view.getUint16(offset + atType)];
    if (of === undefined) throw new Error('this record has no entry in the dictionary of its batch');
    if (!of.isWanted) continue;
    calls.push({
      requestId: readRequestId(records, offset),
      at: midnight + view.getUint32(offset + atTime),
      latencyMs: view.getUint32(offset + atLatency - 1) & maxLatencyMs,
      ...of.type,
    });
  }
  return calls;
}
