import type { Db } from '#shared/database/connect.ts';
import type { Day } from '#shared/domain/day.ts';
import type { LoggedCall } from '#shared/domain/logged-call.ts';

/**
 * Where the outcome of each call is kept, for the pages of customers (decision 078). It decides nothing: quotas and usage are counted in the
 * database, so a log that is lost changes no count and refuses no call.
 */

/** Calls of one key on one IST day, at most 500 within five minutes. */
export interface LogBatch {
  /** A UUID: a batch whose fate is not known is appended again and stands once. */
  readonly id: string;
  readonly activationId: string;
  readonly keyId: string;
  readonly day: Day;
  /** Calls of a test key that reached the sandbox. */
  readonly test: boolean;
  /** Of the first and the last call, in epoch milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly calls: number;
  /** Of these, those that used quota. */
  readonly counted: number;
  /** Refused calls beside these, of which only the problems are kept. */
  readonly unlisted: number;
  readonly statuses: ReadonlySet<number>;
  /** How often its calls were corrected. */
  readonly revision: number;
  /** Sorts of calls, and a record for each call, as shared/domain/logged-call.ts writes them. */
  dictionary: () => string;
  records: () => Buffer;
  /** How many of its calls, and of those beside them, have each problem, as JSON by its name. */
  problems: () => string;
}

/** A call of a batch that was appended had another outcome. */
export interface LogCorrection {
  batch: LogBatch;
  /** The place of the call in it. */
  index: number;
  /** The places of the old and the new sort in the dictionary. */
  from: number;
  to: number;
  lessCounted: number;
  status: number;
}

/** What a log refuses for what it holds: to try again would fail again. */
export class LogRejection extends Error {
  override name = 'LogRejection';
  readonly rule: string | undefined;
  constructor(rule: string | undefined, cause: unknown) {
    super('the request log refused it', { cause });
    this.rule = rule;
  }
}

/** A log in a place of its own can't be reached, or didn't answer. */
export class LogAway extends Error {
  override name = 'LogAway';
}

/** The side of the gateway. Throws LogRejection, or another error when the log can't be reached. */
export interface LogWriter {
  /** Each batch once, whole or not at all. */
  append: (batches: readonly LogBatch[]) => Promise<void>;
  /** Once; changes nothing when a later correction of the call is there. */
  correct: (correction: LogCorrection) => Promise<void>;
}

/** Which calls; days are of India. `status`: such as `404` or `4xx`. `q`: a request id, or words that must all be in a call. */
export interface LogFilter {
  from?: Day | undefined;
  to?: Day | undefined;
  keyId?: string | undefined;
  status?: string | undefined;
  counted?: 'yes' | 'no' | undefined;
  q?: string | undefined;
}

/** A call and whose it is. */
export interface KeyCall extends LoggedCall {
  keyId: string;
}
export interface FoundCall extends KeyCall {
  activationId: string;
}

/** A position in the log: everything older than this call. */
export type Place = Pick<LoggedCall, 'at' | 'requestId'>;

/** Calls, newest first, and the place from which on others may be found; null if there are no others. */
export interface LogPage {
  calls: KeyCall[];
  next: Place | null;
}

interface DayCalls {
  day: Day;
  calls: number;
}

/** The side of the portal. Whether the caller may see an activation is checked before. */
export interface LogReader {
  /** It isn't in the database, which then neither deletes nor backs up what it holds. */
  isApart: boolean;
  /** Calls of an activation; may be fewer than `limit` where others follow. */
  page: (activationId: string, filter: LogFilter, of: { after: Place | undefined; limit: number }) => Promise<LogPage>;
  /** A call by its id, looked for in the newest days first. */
  find: (requestId: string) => Promise<FoundCall | undefined>;
  /** Counted calls that are logged, by day from this one on. */
  countedSince: (activationId: string, from: Day) => Promise<Map<Day, number>>;
  /** Days from this one on with refused calls that are only counted; newest first. */
  unlistedSince: (activationId: string, from: Day) => Promise<DayCalls[]>;
  /** A marker of the newest batch of each activation since a day; it changes when there is a new batch. */
  newest: (activationIds: readonly string[], from: Day) => Promise<Map<string, string>>;
  /** Problems of one day by name and key. */
  problems: (activationId: string, day: Day) => Promise<{ keyId: string; name: string; calls: number; lastAt: Date }[]>;
  /** The calls of one day, with those that are only counted. */
  callsOn: (activationId: string, day: Day) => Promise<number>;
  /** When each of these keys made its last test call. */
  lastTests: (keyIds: readonly string[]) => Promise<Map<string, Date>>;
  /** Test calls of a day by key. */
  testsOn: (keyIds: readonly string[], day: Day) => Promise<Map<string, number>>;
  /** Calls with one of these problems on these days, by day and activation. */
  refusedIn: (
    span: { from: Day; to: Day },
    codes: readonly string[],
  ) => Promise<{ day: Day; activationId: string; calls: number }[]>;
  /** The first of these days that has a call; null if none has. */
  firstDayIn: (span: { from: Day; to: Day }) => Promise<Day | null>;
  /** Creates what is missing for calls of these days. */
  prepare: (today: Day) => Promise<void>;
  /** Deletes what was logged on days before this one. */
  expire: (before: Day) => Promise<void>;
  /** Deletes the calls of these activations. Safe to repeat. */
  erase: (activationIds: readonly string[]) => Promise<void>;
  /** Moves days before this one to where old days lie, and returns how many; undefined where they stay. */
  moveDays?: (before: Day, stopping?: AbortSignal) => Promise<number>;
  /** The same log as another connection to the database sees it; undefined without a place for old days. */
  through?: (db: Db) => LogReader;
}
