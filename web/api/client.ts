import { z } from 'zod';
import { type Call, type CallInput, type CallReply, portalTimeHeader } from '#shared/contract/call.ts';
import { type Problem, problemSchema } from '#shared/contract/problem.ts';
import { portalConfig } from '#web/api/config.ts';
import { takeEarlyCall } from '#web/api/early-calls.ts';
import { Refused, refusalsInHindi, Unreachable } from '#web/api/failures.ts';
import { catalogueReady, replyLanguage } from '#web/language/language.ts';
import { endSession, readSession } from '#web/session/session.ts';
import { noteServerTime } from '#web/ui/server-time.ts';

const timeoutMs = 15_000;

/**
 * Makes a call of the contract and returns its validated response. Throws `Refused` when the server refuses and
 * `Unreachable` when there is no response; a 401 also ends the session (product §3.4). Aborting `signal` throws its
 * reason.
 */
export async function call<C extends Call>(
  definition: C,
  input: CallInput<C>,
  signal?: AbortSignal,
): Promise<CallReply<C>> {
  const parts: { params?: unknown; query?: unknown; body?: unknown } = input;
  const { token } = readSession();
  const headers = new Headers({ accept: 'application/json', 'accept-language': replyLanguage() });
  if (definition.auth === 'session' && token !== null) headers.set('authorization', `Bearer ${token}`);
  if (parts.body !== undefined) headers.set('content-type', 'application/json');

  const timeout = AbortSignal.timeout(timeoutMs);
  const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const request: RequestInit = {
    method: definition.method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    signal: ends,
  };
  if (parts.body !== undefined) request.body = JSON.stringify(parts.body);

  const address = addressOf(definition, parts);
  const early = definition.method === 'GET' ? takeEarlyCall(address, token, performance.now()) : undefined;
  let status: number;
  let answer: unknown;
  try {
    // A response that was requested early ignores these signals.
    const response = await Promise.race([readAll(early ?? fetch(address, request)), endOf(ends)]);
    status = response.status;
    answer = response.text === '' ? null : parseJson(response.text);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (timeout.aborted) throw new Unreachable('time-out', error);
    throw new Unreachable(navigator.onLine ? 'no-answer' : 'offline', error);
  }

  if (status >= 200 && status < 300) {
    const reply = z.safeParse<C['reply']>(definition.reply, answer);
    if (!reply.success) throw new Unreachable('unreadable', reply.error);
    return reply.data;
  }
  const problem = problemOf(answer, status);
  if (status === 401 && definition.auth === 'session' && token !== null) endSession('expired', token);
  await catalogueReady(refusalsInHindi);
  throw new Refused(problem);
}

async function readAll(answer: Promise<Response>): Promise<{ status: number; text: string }> {
  const response = await answer;
  noteServerTime(response.headers.get(portalTimeHeader));
  return { status: response.status, text: await response.text() };
}

async function endOf(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  throw signal.reason;
}

/** The address of a call: its path under the backend's base address, with the parameters filled in. */
export function addressOf(definition: Call, { params, query }: { params?: unknown; query?: unknown }): string {
  const given = new Map(Object.entries(params ?? {}));
  const path = definition.path.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => {
    const value: unknown = given.get(name);
    if (typeof value !== 'string') throw new Error(`${definition.name} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(name, String(value));
  return `${portalConfig().backendUrl}${path}${search.size === 0 ? '' : `?${search.toString()}`}`;
}

function problemOf(answer: unknown, status: number): Problem {
  const problem = problemSchema.safeParse(answer);
  if (problem.success) return problem.data;
  // A proxy in between responded with a page of its own.
  if (status === 502 || status === 503 || status === 504) throw new Unreachable('no-answer');
  throw new Unreachable('unreadable');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
