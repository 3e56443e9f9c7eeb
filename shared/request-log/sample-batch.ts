import { randomUUID } from 'node:crypto';
import { problemName, readProblem } from '#shared/domain/call-problem.ts';
import { type Day, dayOf, startOfDay } from '#shared/domain/day.ts';
import { type LoggedCall, recordsBytes, writeCallRecord, writeCallType } from '#shared/domain/logged-call.ts';
import { readRequestId } from '#shared/domain/request-id.ts';
import type { KeyCall, LogBatch, LogCorrection } from './log.ts';

export const firstDay: Day = '2026-03-01';
export const days = 3;

let ids = 0;
function nextId(): string {
  const bytes = Buffer.alloc(15);
  bytes.writeUInt32BE(((ids += 1) * 2654435761) % 2 ** 32);
  bytes.writeUInt32BE(ids, 11);
  return readRequestId(bytes, 0);
}

export type Sort = Pick<LoggedCall, 'method' | 'path' | 'status' | 'units' | 'reason' | 'problem'>;
export const sorts: readonly Sort[] = [
  { method: 'GET', path: '/tax/v1/states', status: 200, units: 1, reason: 'answered' },
  { method: 'POST', path: '/tax/v1/Invoices/27**********1ZV', status: 201, units: 5, reason: 'answered' },
  { method: 'GET', path: '/tax/v1/states', status: 404, units: 1, reason: 'judged', problem: 'not-Found' },
  {
    method: 'GET',
    path: '/tax/v1/hsn',
    status: 502,
    units: 0,
    reason: 'failed',
    problem: 'upstream;rule=con%2Fnect;ms=12',
  },
  {
    method: 'GET',
    path: '/tax/v1/hsn',
    status: 429,
    units: 0,
    reason: 'refused',
    problem: 'quota-exceeded;rule=second;limit=10',
  },
  { method: 'DELETE', path: '/tax/v1/hsn', status: 499, units: 0, reason: 'caller-left' },
];
export const testSort: Sort = { method: 'GET', path: '/tax/v1/states', status: 200, units: 0, reason: 'test' };

/** A batch as a gateway has it. */
export class SampleBatch implements LogBatch {
  readonly id = randomUUID();
  readonly activationId: string;
  readonly keyId: string;
  readonly day: Day;
  readonly test: boolean;
  readonly fromMs: number;
  readonly toMs: number;
  readonly calls: number;
  readonly unlisted: number;
  readonly statuses = new Set<number>();
  readonly list: KeyCall[];
  readonly problemCounts = new Map<string, number>();
  counted: number;
  revision = 0;
  readonly #sorts: string[] = [];
  readonly #records: Buffer;

  /** `unlisted`: refused calls beside these, by their problems. */
  constructor(
    of: Pick<KeyCall, 'keyId'> & { activationId: string },
    calls: readonly (Sort & Pick<LoggedCall, 'at'> & Partial<Pick<LoggedCall, 'requestId' | 'latencyMs'>>)[],
    unlisted: Readonly<Record<string, number>> = {},
  ) {
    this.activationId = of.activationId;
    this.keyId = of.keyId;
    this.list = calls.map((call) => ({ requestId: nextId(), latencyMs: call.at % 977, ...call, keyId: of.keyId }));
    const times = calls.map(({ at }) => at);
    this.fromMs = Math.min(...times);
    this.toMs = Math.max(...times);
    this.day = dayOf(this.fromMs);
    this.test = calls.every(({ reason }) => reason === 'test');
    this.calls = calls.length;
    this.counted = calls.filter(({ units }) => units > 0).length;
    this.unlisted = Object.values(unlisted).reduce((sum, each) => sum + each, 0);
    this.#records = Buffer.alloc(recordsBytes(calls.length));
    const midnight = startOfDay(this.day);
    for (const [place, call] of this.list.entries()) {
      const sinceMidnightMs = call.at - midnight;
      writeCallRecord({ ...call, sinceMidnightMs, type: this.#typeOf(call) }, this.#records, place);
      if (call.problem !== undefined) this.#count(problemName(readProblem(call.problem)), 1);
    }
    for (const [name, each] of Object.entries(unlisted)) this.#count(name, each);
  }

  #count(name: string, calls: number): void {
    this.problemCounts.set(name, (this.problemCounts.get(name) ?? 0) + calls);
  }

  #typeOf(call: Sort): number {
    const entry = writeCallType(call);
    if (!this.#sorts.includes(entry)) this.#sorts.push(entry);
    this.statuses.add(call.status);
    return this.#sorts.indexOf(entry);
  }

  /** Gives a call another outcome; undefined if it has it already. */
  change(index: number, { status, units, reason, problem }: Sort): LogCorrection | undefined {
    const call = this.list[index];
    if (call === undefined) return undefined;
    const { problem: _before, ...rest } = call;
    const after: KeyCall = { ...rest, status, units, reason, ...(problem === undefined ? {} : { problem }) };
    const [from, to] = [this.#typeOf(call), this.#typeOf(after)];
    if (from === to) return undefined;
    const lessCounted = Number(call.units > 0) - Number(units > 0);
    this.list[index] = after;
    this.counted -= lessCounted;
    this.revision += 1;
    writeCallRecord({ ...after, sinceMidnightMs: after.at - startOfDay(this.day), type: to }, this.#records, index);
    return { batch: this, index, from, to, lessCounted, status };
  }

  dictionary = () => this.#sorts.join('\n');
  records = () => Buffer.from(this.#records);
  problems = () => JSON.stringify(Object.fromEntries(this.problemCounts));
}
