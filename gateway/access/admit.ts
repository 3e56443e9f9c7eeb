import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Catalog, Product } from '#catalog/catalog.ts';
import { isTestKey, isWellFormedApiKey } from '#shared/domain/api-key.ts';
import { type CallCost, dearestOf, type OperationsOf, standardCost } from '#shared/domain/operation.ts';
import { admitCall, beginHeld, holdLast } from '#shared/domain/rate-limit.ts';
import {
  accountBlocked,
  addressNotAllowed,
  badPath,
  cannotCheck,
  keyExpired,
  keyMalformed,
  keyMissing,
  keyRefused,
  keysDiffer,
  noSandbox,
  notInPlan,
  otherApi,
  overloadedOnArrival,
  quotaExceeded,
  type Refusal,
} from '#gateway/http/refusals.ts';
import type { WaitOutcome } from '#gateway/quota/book.ts';
import type { QuotaDesk } from '#gateway/quota/desk.ts';
import { rateLimitHeaders, secondsUntil } from '#gateway/quota/rate-limit-headers.ts';
import { HeldUnits } from '#gateway/quota/held-units.ts';
import { callerAddress, isWithin, type Networks } from '#shared/platform/addresses.ts';
import { BoundedMap } from '#shared/platform/bounded-map.ts';
import type { AccessCache, AccessCycle, KeyAccess } from './access-cache.ts';
import type { RateLimiter } from './free-call-limiter.ts';
import type { AdmittedCall } from './admitted-call.ts';
import type { Moment } from './moment.ts';
import { billingPage, endedPlanRefusal, noPlanRefusal, overdueRefusal, runningCycle } from './no-plan.ts';
import type { ProbeKeys } from './probe-keys.ts';
import type { TestCallRequest } from './store.ts';
import { usedUp } from './used-up.ts';

/** A call that needs units. */
type UnitRequest = Omit<AdmittedCall, 'held'>;

export type Admission =
  | { refusal?: never; call: AdmittedCall; access: KeyAccess }
  /** A call with a test key goes to the product's sandbox and takes nothing from a plan. */
  | { refusal?: never; call: 'test'; access: KeyAccess }
  /** A call of the doctor, to the path of a product that tells whether it is well. */
  | { refusal?: never; call: 'probe'; test: boolean; access?: never }
  /** `headers`: extra response headers, serialized; `access`: the caller's key, if known. */
  | { refusal: Refusal; call?: never; headers: string; access?: KeyAccess | undefined };

export interface Admitter {
  catalog: Catalog;
  cache: AccessCache;
  desk: QuotaDesk;
  moment: () => Moment;
  portalUrl: string;
  /** Proxies whose X-Forwarded-For is trusted. */
  proxies: Networks | undefined;
  /** Shared by all test keys of one customer and product. */
  testRateLimiter: RateLimiter;
  /** Takes one call from the customer's daily test calls; false if none is left. */
  takeTestCall: (request: TestCallRequest) => Promise<boolean>;
  probeKeys: ProbeKeys;
  /** A call that waits for the database for longer is refused. */
  databaseTimeoutMs: number;
}

const refuse = (refusal: Refusal, access?: KeyAccess, headers = ''): Admission => ({ refusal, headers, access });

type Refused = Extract<Admission, { refusal: Refusal }>;

/** Finds the key of a request and checks that it may be used now and from this address. Synchronous if the key is cached. */
export function identify(
  admitter: Pick<Admitter, 'cache' | 'proxies' | 'moment' | 'databaseTimeoutMs'>,
  req: IncomingMessage,
  moment: Moment,
): KeyAccess | Refused | Promise<KeyAccess | Refused> {
  const key = readKey(req.headers);
  if (typeof key !== 'string') return { refusal: key, headers: '' };
  const found = admitter.cache.find(key);
  if (!(found instanceof Promise)) return checkKey(admitter.proxies, req, found, moment);
  return withTimeout(found, admitter.databaseTimeoutMs).then(
    (access) => checkKey(admitter.proxies, req, access, admitter.moment()),
    (): Refused => ({ refusal: cannotCheck, headers: '' }),
  );
}

function checkKey(
  proxies: Networks | undefined,
  req: IncomingMessage,
  access: KeyAccess | undefined,
  { nowMs }: Moment,
): KeyAccess | Refused {
  if (access === undefined || access.revoked) return { refusal: keyRefused, headers: '', access };
  if (access.blocked) return { refusal: accountBlocked, headers: '', access };
  if (nowMs >= access.expiresAt) {
    return { refusal: keyExpired(new Date(access.expiresAt).toISOString()), headers: '', access };
  }
  if (access.allowedIps !== undefined) {
    const address = callerAddress(req, proxies);
    if (!isWithin(access.allowedIps, address)) {
      return { refusal: addressNotAllowed(address, access.allowedAddresses), headers: '', access };
    }
  }
  return access;
}

/** A call to be admitted or refused. */
export interface CallArrival {
  req: IncomingMessage;
  product: Product;
  /** Operations that this path may match; '' if none in the catalogue. Undefined if ambiguous. */
  operations: () => ReturnType<OperationsOf>;
  /** It has been queued for too long already. */
  overdue: boolean;
  moment: Moment;
  /** The same moment by the monotonic clock. */
  elapsedMs: number;
}

/** Checks key, product, cycle and quota. Synchronous if everything needed is in memory. */
export function admit(admitter: Admitter, arrived: CallArrival): Admission | Promise<Admission> {
  const access = identify(admitter, arrived.req, arrived.moment);
  if (!(access instanceof Promise)) return admitAs(admitter, access, arrived);
  return access.then((found) =>
    admitAs(admitter, found, { ...arrived, moment: admitter.moment(), elapsedMs: performance.now() }),
  );
}

/** Only once the database has said that the key belongs to nobody: a probe takes the way of every call. */
function probeOf({ probeKeys }: Admitter, refused: Refused, { req, product, elapsedMs }: CallArrival): Admission {
  if (refused.refusal !== keyRefused || refused.access !== undefined) return refused;
  const key = readKey(req.headers);
  if (typeof key !== 'string' || !probeKeys.allows(key, req, elapsedMs)) return refused;
  const test = isTestKey(key);
  return test && product.sandbox === undefined ? refused : { call: 'probe', test };
}

function admitAs(
  admitter: Admitter,
  access: KeyAccess | Refused,
  arrived: CallArrival,
): Admission | Promise<Admission> {
  if ('refusal' in access) return probeOf(admitter, access, arrived);
  const { product, operations, overdue, moment, elapsedMs } = arrived;
  if (overdue) return refuse(overloadedOnArrival, access);
  if (access.serviceId !== product.id && admitter.catalog.find(access.serviceId)?.id !== product.id) {
    return refuse(otherApi(product.name, access.serviceId), access);
  }
  if (access.test) return admitTest(admitter, access, product, moment);
  const cycle = runningCycle(access, moment.nowMs);
  if (cycle === undefined) return refuse(noPlanRefusal(access, moment.nowMs, moment.day, admitter.portalUrl), access);
  if (cycle.stopsAt !== null && moment.nowMs >= cycle.stopsAt)
    return refuse(overdueRefusal(cycle, admitter.portalUrl), access);
  const cost = costOf(cycle, operations);
  if (cost === 'unclear') return refuse(badPath, access);
  if (cost === 'left out') return refuse(notInPlan(cycle.planName, billingPage(admitter.portalUrl, access)), access);
  return takeUnits(admitter, access, cycle, cost, moment, elapsedMs);
}

/** What a plan takes for a call that may be of several operations: it must include all of them, and the dearest counts (decision 041). */
function costOf(
  { operations: included, costs }: AccessCycle,
  operationsOf: CallArrival['operations'],
): CallCost | 'unclear' | 'left out' {
  if (included === null && costs === null) return standardCost;
  const operations = operationsOf();
  if (operations === undefined) return 'unclear';
  if (included !== null && !operations.every((each) => included.has(each))) return 'left out';
  return costs === null ? standardCost : dearestOf(operations.map((each) => costs.get(each) ?? standardCost));
}

function admitTest(
  { testRateLimiter, takeTestCall, databaseTimeoutMs }: Admitter,
  access: KeyAccess,
  { id: productId, name, sandbox }: Product,
  { nowMs, day, dayEndsAt }: Moment,
): Admission | Promise<Admission> {
  if (sandbox === undefined) return refuse(noSandbox(name), access);
  const { customerId } = access;
  const waitMs = testRateLimiter.admit(`${customerId} ${productId}`);
  if (waitMs > 0) {
    const message = `All your test keys of ${name} together may make ${testRateLimiter.limit} calls per second.`;
    const facts = { rule: 'test-second', limit: testRateLimiter.limit };
    return refuse(quotaExceeded(['second'], message, Math.ceil(waitMs / 1000), facts), access);
  }
  const cap = sandbox.dailyCalls;
  return withTimeout(takeTestCall({ customerId, productId, day, cap }), databaseTimeoutMs).then(
    (taken) => {
      if (taken) return { call: 'test', access };
      const message = `All ${cap} test calls of ${name} for ${day} are used, with all your test keys together. The count starts again at 00:00 IST.`;
      const facts = { rule: 'test', limit: cap };
      return refuse(quotaExceeded(['test'], message, secondsUntil(dayEndsAt, nowMs), facts), access);
    },
    () => refuse(cannotCheck, access),
  );
}

/** A database that hangs must not hold a call for longer than one that fails. */
function withTimeout<T>(result: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the database did not respond in time')), timeoutMs);
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Far more than a scheme and a key need. A cached key may be a slice that keeps the whole header in memory. */
const maxAuthorizationLength = 200;
const maxWellFormedKeys = 20_000;
/** Keys already checked: most calls use one of a few keys. */
const wellFormedKeys = new BoundedMap<string, true>(maxWellFormedKeys);

/** The API key of a request, from either header. */
export function readKey(headers: IncomingHttpHeaders): string | Refusal {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (apiKey === undefined && authorization?.startsWith('Bearer ') === true) {
    const key = authorization.slice('Bearer '.length);
    if (wellFormedKeys.has(key)) return key;
  }
  if (authorization !== undefined && authorization.length > maxAuthorizationLength) return keyMalformed;
  const bearer = authorization === undefined ? undefined : (/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '');
  if (bearer === undefined && apiKey === undefined) return keyMissing;
  if (bearer !== undefined && apiKey !== undefined && bearer !== apiKey) return keysDiffer;
  const key = bearer ?? apiKey;
  return typeof key === 'string' && isWellFormed(key) ? key : keyMalformed;
}

function isWellFormed(key: string): boolean {
  if (wellFormedKeys.has(key)) return true;
  if (!isWellFormedApiKey(key)) return false;
  wellFormedKeys.set(key, true);
  return true;
}

function takeUnits(
  admitter: Admitter,
  access: KeyAccess,
  cycle: AccessCycle,
  cost: CallCost,
  moment: Moment,
  elapsedMs: number,
): Admission | Promise<Admission> {
  const { desk } = admitter;
  const book = desk.book(access.activationId, cycle.rps);
  const waitMs = admitCall(book.window, elapsedMs);
  const lease = desk.lease(book, cycle.id, moment.day, access.leaseKey, access.maker?.memberId);
  const { dayEndsAt } = moment;
  const call: UnitRequest = { access, cycle, book, lease, cost, dayEndsAt };
  if (waitMs > 0) {
    const message = `The plan ${cycle.planName} allows ${cycle.rps} calls per second.`;
    const facts = { rule: 'second', limit: cycle.rps, plan: cycle.planName };
    return refuseQuota(call, moment.nowMs, quotaExceeded(['second'], message, Math.ceil(waitMs / 1000), facts));
  }
  const taken = desk.take(book, lease, elapsedMs, cost.units);
  // Not by a spread of `call`, which takes a microsecond.
  const admitted = (): Admission => {
    const held = new HeldUnits(book, lease, cost.units);
    return { call: { access, cycle, book, lease, cost, dayEndsAt, held }, access };
  };
  if (taken === true) return admitted();
  // Calls that wait for units start together, so they keep their slots in the rate window until then; otherwise the window would admit
  // as many calls again.
  holdLast(book.window);
  return taken.then((outcome) => {
    beginHeld(book.window, performance.now());
    return outcome === 'granted' ? admitted() : refuseWithoutUnits(admitter, call, moment, outcome);
  });
}

function refuseQuota(call: UnitRequest, nowMs: number, refusal: Refusal): Admission {
  return refuse(refusal, call.access, rateLimitHeaders({ ...call, nowMs, elapsedMs: performance.now() }));
}

function refuseWithoutUnits(
  { cache, portalUrl }: Admitter,
  call: UnitRequest,
  moment: Moment,
  outcome: Exclude<WaitOutcome, 'granted'>,
): Admission {
  const { access, cycle } = call;
  if (outcome === 'unavailable') return refuse(cannotCheck, access);
  if (outcome === 'ended') {
    // The cycle ended while this call waited, so the cached access is stale.
    cache.evictActivation(access.activationId);
    return refuse(endedPlanRefusal(access, cycle, portalUrl), access);
  }
  return refuseQuota(call, moment.nowMs, usedUp(call, moment));
}
