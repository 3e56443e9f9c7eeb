import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inLanguage } from '#catalog/catalog-texts.ts';
import { type Call, type CallResult, type CallParsed, faultsOf, portalTimeHeader } from '#shared/contract/call.ts';
import { problemSchema } from '#shared/contract/problem.ts';
import { sqlState } from '#shared/database/transaction.ts';
import { callerAddress, networkOf, readNetworks } from '#shared/platform/addresses.ts';
import { noteCustomer } from '#shared/platform/work-context.ts';
import { needsPasskey } from '#shared/policies/members/passkeys.ts';
import { mayMember } from '#shared/policies/members/rights.ts';
import type { Owner, Portal } from '#server/portal.ts';
import { isBlocked } from '#server/auth/blocked.ts';
import { findOperator, type SignedInOperator } from '#server/auth/operator-sessions.ts';
import { asMember } from '#server/auth/member-guard.ts';
import { findSession, type SignedInMember } from '#server/auth/sessions.ts';
import type { View } from '#server/auth/views.ts';
import { anyRefusals, refuse } from '#server/refusals/refuse.ts';
import { callTurns } from './call-turns.ts';
import { errorHandlerOf } from './problems.ts';
import { languageOf, translationOf } from './reply-language.ts';
import { tokenOf } from './token.ts';
import { requireView, requireViewStill, viewOf } from './viewing.ts';

/** What a handler receives: the parsed request, and whose data it is about. */
export type Context<C extends Call> = CallParsed<C> & {
  owner: C['auth'] extends 'session' ? SignedInMember : undefined;
  /** Who calls, for the provider. */
  operator: C['auth'] extends 'operator' ? SignedInOperator : undefined;
  /** What an operator sees as a customer. */
  view: C['auth'] extends 'view' ? View : undefined;
  /** The session token itself, for signing out. */
  token: string;
  /** The request's own id. */
  requestId: string;
  /** With which the caller makes sure that nothing is done twice. */
  idempotencyKey: string | undefined;
};

/** Whoever the token of a request belongs to. */
interface Caller {
  owner?: SignedInMember;
  operator?: SignedInOperator;
  view?: View;
}

type ContextCaller = { [Kind in keyof Caller]-?: Caller[Kind] | undefined };

interface Limits {
  /** Calls per minute, by customer when signed in, else by address (the /64 of IPv6). */
  perMinute?: number;
  /** Bytes of the body, if more than the server's limit. */
  bodyLimit?: number;
  /** Throws when the operator may not make the call; before a body is read. */
  requireRight?: (operator: SignedInOperator) => void;
}

/**
 * Serves a call of the contract: validates request and response by its schemas, requires a session if the call needs one, and turns
 * refusals into problem responses. Registered under the prefix of the given instance.
 */
export function handle<C extends Call>(
  app: FastifyInstance,
  portal: Portal,
  call: C,
  handler: (context: Context<C>) => Promise<CallResult<C>>,
  limits: Limits = {},
): void {
  const proxies = readNetworks(portal.settings.trustedProxies);
  const callers = new WeakMap<FastifyRequest, Caller>();
  const refusesBlocked = call.refusals.includes('account_blocked');
  const translateReply = translationOf(call.reply);
  app.route({
    method: call.method,
    url: call.path,
    ...(limits.bodyLimit === undefined ? {} : { bodyLimit: limits.bodyLimit }),
    schema: {
      operationId: call.name,
      summary: call.summary,
      tags: [call.path.split('/')[1] ?? ''],
      ...(call.auth === 'none' ? {} : { security: [{ session: [] }] }),
      ...(call.params ? { params: call.params } : {}),
      ...(call.query ? { querystring: call.query } : {}),
      ...(call.body ? { body: call.body } : {}),
      ...(call.headers ? { headers: call.headers } : {}),
      response: { 200: call.reply, ...problemReplies(call) },
    },
    ...(limits.perMinute
      ? {
          config: {
            rateLimit: {
              max: limits.perMinute,
              timeWindow: 60_000,
              keyGenerator: (request: FastifyRequest) =>
                idOf(callers.get(request)) ?? networkOf(callerAddress(request.raw, proxies)),
            },
          },
        }
      : {}),
    errorHandler: errorHandlerOf(call),
    // Authenticate before a body is read.
    onRequest: async (request) => {
      const caller = await callerOf(portal, call, request);
      callers.set(request, caller);
      if (caller.owner) noteCustomer(caller.owner.customerId);
      if (caller.operator) limits.requireRight?.(caller.operator);
      if (portal.isView && call.customerOnly) throw refuse('read_only_view');
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      reply.header(portalTimeHeader, new Date(portal.clock()).toISOString());
      const caller = callers.get(request) ?? {};
      const work = async (): Promise<CallResult<C>> => {
        // The caller hung up while it waited, and nobody reads the response.
        if (call.method === 'GET' && request.raw.socket.destroyed) throw refuse('unavailable');
        // In its turn, since the operator may have blocked the customer while it waited.
        if (refusesBlocked) await requireUnblocked(portal, caller.owner);
        const context = contextOf(call, request, caller);
        if (caller.owner === undefined || portal.isView) return handler(context);
        const guarded = { ...portal, call, member: caller.owner, target: targetOf(request) };
        return asMember(guarded, () => handler(context));
      };
      const id = idOf(caller);
      const working = id === undefined ? work() : callTurns(portal)(id, work);
      const result = await working.catch(async (error: unknown) => {
        // The database refuses what is written for a customer who was erased, or an operator who was removed, meanwhile: the session has ended, as for the next call.
        if (isRefusedByDatabase(error)) await callerOf(portal, call, request);
        throw error;
      });
      await requireViewStill(request);
      if (translateReply === undefined) return result;
      const language = languageOf(request.headers['accept-language']);
      reply.header('content-language', language);
      return language === 'en' ? result : translateReply(result, inLanguage(portal.catalog, language));
    },
  });
}

/** A constraint, or a trigger that raised. */
const isRefusedByDatabase = (error: unknown): boolean => /^(23|P0)/.test(sqlState(error) ?? '');

const idOf = (caller: Caller | undefined): string | undefined =>
  caller?.owner?.customerId ?? caller?.operator?.operatorId ?? caller?.view?.operatorId;

async function callerOf(portal: Portal, { auth, name }: Call, request: FastifyRequest): Promise<Caller> {
  if (auth === 'none') return {};
  if (auth === 'session') return { owner: await requireSession(portal, request, name) };
  if (auth === 'view') return { view: await requireView(portal, request) };
  return { operator: await requireOperator(portal, request) };
}

/** Which operator's session or token it is; refuses when it is missing, unknown or has ended. */
export async function requireOperator(portal: Portal, request: FastifyRequest): Promise<SignedInOperator> {
  const operator = await findOperator(portal.db, tokenOf(request), portal.machineClock);
  if (operator === undefined) throw refuse('unauthorized');
  return operator;
}

/** Whose session it is; refuses when the session is missing, unknown or has ended, the role may not make the call, or it needs a passkey first. */
export async function requireSession(portal: Portal, request: FastifyRequest, name: string): Promise<SignedInMember> {
  if (portal.isView) {
    const view = viewOf(request);
    if (view === undefined) throw refuse('unauthorized');
    return { customerId: view.customerId, memberId: view.memberId, role: 'owner' };
  }
  const member = await findSession(portal.db, tokenOf(request), portal.machineClock);
  if (member === undefined) throw refuse('unauthorized');
  if (!mayMember(member.role, name)) throw refuse('not_your_role');
  if (needsPasskey(name) && member.session?.asksPasskey && member.session.provenUntil === null)
    throw refuse('passkey_needed');
  return member;
}

/** Refuses what a customer whom the operator has blocked may not do (product §3.7): buy, pay, and make keys. */
async function requireUnblocked(portal: Portal, owner: Owner | undefined): Promise<void> {
  if (owner && (await isBlocked(portal.db, owner.customerId))) throw refuse('account_blocked');
}

/** The only place where Fastify's untyped request becomes the contract's typed one; the schemas above have parsed it. */
function contextOf<C extends Call>(call: C, request: FastifyRequest, { owner, operator, view }: Caller): Context<C> {
  const context = {
    ...(call.params ? { params: request.params } : {}),
    ...(call.query ? { query: request.query } : {}),
    ...(call.body ? { body: request.body } : {}),
    owner,
    operator,
    view,
    token: tokenOf(request),
    requestId: request.id,
    idempotencyKey: idempotencyKeyOf(request),
  };
  if (!isContext(call, context)) throw new Error(`${call.name} was reached without a session`);
  return context;
}

function isContext<C extends Call>({ auth }: C, context: ContextCaller): context is Context<C> & ContextCaller {
  const { owner, operator, view } = context;
  return Object.entries({ session: owner, operator, view }).every(
    ([name, caller]) => (auth === name) === (caller !== undefined),
  );
}

/** The last id of the path. */
function targetOf({ params }: FastifyRequest): string | undefined {
  const found = Object.values(Object(params)).at(-1);
  return typeof found === 'string' ? found : undefined;
}

/** As the schema of the call's headers has checked it. */
function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  return typeof key === 'string' ? key : undefined;
}

function problemReplies(call: Call) {
  const codes = new Set([
    'invalid_request',
    ...(call.auth !== 'none' ? (['unauthorized', 'too_many_requests'] as const) : []),
    ...(call.auth === 'session' ? (['not_your_role'] as const) : []),
    ...(call.auth === 'session' && needsPasskey(call.name) ? (['passkey_needed'] as const) : []),
    ...call.refusals,
    ...Object.values(faultsOf(call)),
  ] as const);
  const byStatus = new Map<number, string[]>();
  for (const code of codes) {
    const { status } = anyRefusals[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      status,
      {
        description: names.join(', '),
        content: { 'application/problem+json': { schema: problemSchema } },
      },
    ]),
  );
}
