import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Catalog, Product } from '#catalog/catalog.ts';
import { isWellFormedApiKey } from '#domain/api-key.ts';
import { grantsAccess } from '#domain/cycle.ts';
import type { Day } from '#domain/day.ts';
import { admitCall, beginHeld, holdLast } from '#domain/rate-limit.ts';
import {
  addressNotAllowed,
  cannotCheck,
  keyExpired,
  keyMalformed,
  keyMissing,
  keyRefused,
  keysDiffer,
  noSandbox,
  otherApi,
  overloaded,
  paymentRequired,
  quotaExceeded,
  type Refusal,
} from '#gateway/http/refusals.ts';
import type { BookLease, QuotaBook, WaitOutcome } from '#gateway/quota/book.ts';
import type { QuotaDesk } from '#gateway/quota/desk.ts';
import { rateLimitHeaders, secondsUntil } from '#gateway/quota/rate-limit-headers.ts';
import { QuotaUnit } from '#gateway/quota/unit.ts';
import { callerAddress, isWithin, type Networks } from '#platform/addresses.ts';
import { BoundedMap } from '#platform/bounded-map.ts';
import type { AccessCache, AccessCycle, KeyAccess } from './access-cache.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { TestCallRequest } from './store.ts';

/** A call that may be made: it holds one unit of its lease, which must be used or given back. */
export interface AdmittedCall {
  access: KeyAccess;
  cycle: AccessCycle;
  book: QuotaBook;
  lease: BookLease;
  unit: QuotaUnit;
  dayEndsAt: number;
}

/** A call that asks for a unit. */
type UnitRequest = Omit<AdmittedCall, 'unit'>;

export type Admission =
  | { refusal?: never; call: AdmittedCall; access: KeyAccess }
  /** A call of a test key: it goes to the product's sandbox, and takes nothing from a plan. */
  | { refusal?: never; call: 'test'; access: KeyAccess }
  /** `lines`: more fields of the answer; `access`: whose key it was, where it was known. */
  | { refusal: Refusal; call?: never; lines: string; access?: KeyAccess | undefined };

export interface Moment {
  nowMs: number;
  day: Day;
  dayEndsAt: number;
}

export interface Admitter {
  catalog: Catalog;
  cache: AccessCache;
  desk: QuotaDesk;
  moment: () => Moment;
  portalUrl: string;
  /** Proxies whose word on the caller's address is taken. */
  proxies: Networks | undefined;
  /** Calls per second of all test keys of one customer and product. */
  testRateLimiter: RateLimiter;
  /** Takes one of the test calls of a customer's day. */
  takeTestCall: (ask: TestCallRequest) => Promise<boolean>;
}

const longestLookUpMs = 2000;

const refuse = (refusal: Refusal, access?: KeyAccess, lines = ''): Admission => ({ refusal, lines, access });

type Refused = Admission & { call?: never };

/** Whose key is it, and may it be used here and now? Answers at once when the key is remembered. */
export function identify(
  admitter: Pick<Admitter, 'cache' | 'proxies' | 'moment'>,
  req: IncomingMessage,
  moment: Moment,
): KeyAccess | Refused | Promise<KeyAccess | Refused> {
  const key = readKey(req.headers);
  if (typeof key !== 'string') return { refusal: key, lines: '' };
  const found = admitter.cache.find(key);
  if (!(found instanceof Promise)) return examine(admitter.proxies, req, found, moment);
  return inTime(found).then(
    (access) => examine(admitter.proxies, req, access, admitter.moment()),
    (): Refused => ({ refusal: cannotCheck, lines: '' }),
  );
}

function examine(
  proxies: Networks | undefined,
  req: IncomingMessage,
  access: KeyAccess | undefined,
  { nowMs }: Moment,
): KeyAccess | Refused {
  if (access === undefined || access.revoked) return { refusal: keyRefused, lines: '', access };
  if (nowMs >= access.expiresAt) {
    return { refusal: keyExpired(new Date(access.expiresAt).toISOString()), lines: '', access };
  }
  if (access.allowedIps !== undefined) {
    const address = callerAddress(req, proxies);
    if (!isWithin(access.allowedIps, address)) return { refusal: addressNotAllowed(address), lines: '', access };
  }
  return access;
}

/** A call that asks to be let in. */
export interface CallArrival {
  req: IncomingMessage;
  product: Product;
  /** It has waited for too long already. */
  late: boolean;
  moment: Moment;
  /** The same by the monotonic clock. */
  elapsedMs: number;
}

/** Whose key, which cycle, is there quota? Answers at once whenever memory holds what is needed. */
export function admit(admitter: Admitter, arrived: CallArrival): Admission | Promise<Admission> {
  const access = identify(admitter, arrived.req, arrived.moment);
  if (!(access instanceof Promise)) return admitAs(admitter, access, arrived);
  return access.then((found) =>
    admitAs(admitter, found, { ...arrived, moment: admitter.moment(), elapsedMs: performance.now() }),
  );
}

function admitAs(
  admitter: Admitter,
  access: KeyAccess | Refused,
  { product, late, moment, elapsedMs }: CallArrival,
): Admission | Promise<Admission> {
  if ('refusal' in access) return access;
  if (late) return refuse(overloaded, access);
  if (access.serviceId !== product.id && admitter.catalog.find(access.serviceId)?.id !== product.id) {
    return refuse(otherApi(product.name), access);
  }
  if (access.test) return admitTest(admitter, access, product, moment);
  const cycle = runningCycle(access, moment.nowMs);
  if (cycle === undefined) return refuse(paymentRequired(whatIsMissing(access, moment, admitter.portalUrl)), access);
  return takeUnit(admitter, access, cycle, moment, elapsedMs);
}

function admitTest(
  { testRateLimiter, takeTestCall }: Admitter,
  access: KeyAccess,
  { id: productId, name, sandbox }: Product,
  { nowMs, day, dayEndsAt }: Moment,
): Admission | Promise<Admission> {
  if (sandbox === undefined) return refuse(noSandbox(name), access);
  const { customerId } = access;
  const waitMs = testRateLimiter.admit(`${customerId} ${productId}`);
  if (waitMs > 0) {
    const message = `All your test keys of ${name} together may make ${testRateLimiter.limit} calls per second.`;
    return refuse(quotaExceeded(['second'], message, Math.ceil(waitMs / 1000)), access);
  }
  const cap = sandbox.dailyCalls;
  return inTime(takeTestCall({ customerId, productId, day, cap })).then(
    (taken) => {
      if (taken) return { call: 'test', access };
      const message = `All ${cap} test calls of ${name} for ${day} are used, with all your test keys together. The count starts again at 00:00 IST.`;
      return refuse(quotaExceeded(['test'], message, secondsUntil(dayEndsAt, nowMs)), access);
    },
    () => refuse(cannotCheck, access),
  );
}

/** A database that does not answer at all must not hold a call for longer than one that refuses. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the database did not answer in time')), longestLookUpMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Far more than a key and its scheme need. What is remembered of a key may keep the whole field in memory. */
const longestField = 200;
const mostRemembered = 20_000;
/** Keys that were found well-formed: the same ones come again and again. */
const wellFormed = new BoundedMap<string, true>(mostRemembered);

/** The key of a call, from either header. */
export function readKey(headers: IncomingHttpHeaders): string | Refusal {
  const { authorization, 'x-api-key': given } = headers;
  if (given === undefined && authorization?.startsWith('Bearer ') === true) {
    const key = authorization.slice('Bearer '.length);
    if (wellFormed.has(key)) return key;
  }
  if (authorization !== undefined && authorization.length > longestField) return keyMalformed;
  const bearer = authorization === undefined ? undefined : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  if (bearer === undefined && given === undefined) return keyMissing;
  if (bearer !== undefined && given !== undefined && bearer !== given) return keysDiffer;
  const key = bearer ?? given;
  return typeof key === 'string' && isWellFormed(key) ? key : keyMalformed;
}

function isWellFormed(key: string): boolean {
  if (wellFormed.has(key)) return true;
  if (!isWellFormedApiKey(key)) return false;
  wellFormed.set(key, true);
  return true;
}

/** The cycle that gives a key access at an instant, if any. */
export function runningCycle(access: KeyAccess, nowMs: number): AccessCycle | undefined {
  return access.cycles.find((cycle) => grantsAccess(cycle.status) && cycle.startsAt <= nowMs && nowMs < cycle.endsAt);
}

function takeUnit(
  admitter: Admitter,
  access: KeyAccess,
  cycle: AccessCycle,
  moment: Moment,
  elapsedMs: number,
): Admission | Promise<Admission> {
  const { desk } = admitter;
  const book = desk.book(access.activationId, cycle.rps);
  const waitMs = admitCall(book.window, elapsedMs);
  const lease = desk.lease(book, cycle.id, moment.day, access.dailyCap === null ? '' : access.keyId);
  const call: UnitRequest = { access, cycle, book, lease, dayEndsAt: moment.dayEndsAt };
  if (waitMs > 0) {
    const message = `The plan ${cycle.planName} allows ${cycle.rps} calls per second.`;
    return refuseQuota(call, moment.nowMs, ['second'], message, Math.ceil(waitMs / 1000));
  }
  const taken = desk.take(book, lease, elapsedMs);
  const admitted = (): Admission => ({ call: { ...call, unit: new QuotaUnit(book, lease) }, access });
  if (taken === true) return admitted();
  // Calls that wait for their units begin together: until then they keep their places, or as many more would be let in beside them.
  holdLast(book.window);
  return taken.then((outcome) => {
    beginHeld(book.window, performance.now());
    return outcome === 'granted' ? admitted() : whyNoUnit(admitter, call, moment, outcome);
  });
}

function refuseQuota(
  call: UnitRequest,
  nowMs: number,
  policies: string[],
  message: string,
  seconds: number,
): Admission {
  const lines = rateLimitHeaders({ ...call, nowMs, elapsedMs: performance.now() });
  return refuse(quotaExceeded(policies, message, seconds), call.access, lines);
}

function whyNoUnit(
  { cache, portalUrl }: Admitter,
  call: UnitRequest,
  { nowMs, day, dayEndsAt }: Moment,
  outcome: Exclude<WaitOutcome, 'granted'>,
): Admission {
  const { access, cycle, lease } = call;
  if (outcome === 'unavailable') return refuse(cannotCheck, access);
  if (outcome === 'ended') {
    // The cycle has ended while this call waited; what is remembered of it is out of date.
    cache.evictActivation(access.activationId);
    return refuse(
      paymentRequired(`The plan ${cycle.planName} has ended. Choose one at ${billingPage(portalUrl, access)}.`),
      access,
    );
  }
  const policies = [...(lease.dayLeft === 0 ? ['daily'] : []), ...(lease.cycleLeft === 0 ? ['monthly'] : [])];
  if (policies.includes('monthly')) {
    const message = `All ${cycle.monthlyQuota} calls of the plan ${cycle.planName} until ${cycle.toDate} are used.`;
    return refuseQuota(call, nowMs, policies, message, secondsUntil(cycle.endsAt, nowMs));
  }
  const seconds = secondsUntil(dayEndsAt, nowMs);
  if (lease.keyLeft === 0 && policies.length === 0) {
    const message = `All ${access.dailyCap} calls that this key may make on ${day} are used. The cap is the key's own; the plan has calls left. The count starts again at 00:00 IST.`;
    return refuseQuota(call, nowMs, ['key'], message, seconds);
  }
  const message = `All ${cycle.dailyQuota} calls of the plan ${cycle.planName} for ${day} are used. The count starts again at 00:00 IST.`;
  return refuseQuota(call, nowMs, policies.length > 0 ? policies : ['daily'], message, seconds);
}

/** Why no cycle runs, and what to do about it. */
function whatIsMissing(access: KeyAccess, { nowMs, day }: Moment, portalUrl: string): string {
  const page = billingPage(portalUrl, access);
  const unpaid = access.cycles.find((cycle) => !grantsAccess(cycle.status) && cycle.endsAt > nowMs);
  if (unpaid !== undefined) return `The plan ${unpaid.planName} is not paid yet. Pay for it at ${page}.`;
  const next = access.cycles.find((cycle) => cycle.startsAt > nowMs);
  if (next !== undefined) return `The plan ${next.planName} starts on ${next.fromDate}; today is ${day}.`;
  const last = access.cycles.findLast((cycle) => grantsAccess(cycle.status));
  if (last !== undefined) return `The plan ${last.planName} ended on ${last.toDate}. Choose the next one at ${page}.`;
  return `No plan is running. Choose one at ${page}.`;
}

function billingPage(portalUrl: string, { activationId }: KeyAccess): string {
  return `${portalUrl}/activations/${activationId}/billing`;
}
