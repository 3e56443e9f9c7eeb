import type { z } from 'zod';
import { portalTimeHeader } from '#shared/contract/call.ts';
import { type Problem, problemSchema } from '#shared/contract/problem.ts';
import { takeEarlyCall } from '#web/api/early-calls.ts';
import { Refused, refusalsInHindi, Unreachable } from '#web/api/failures.ts';
import { catalogueReady, replyLanguage } from '#web/language/language.ts';
import { asOfHeader, noteAsOf } from '#web/ui/as-of.ts';
import { noteServerTime } from '#web/ui/server-time.ts';

const timeoutMs = 15_000;

/** A call as it goes over the wire. */
export interface Sent<Reply extends z.ZodType> {
  method: string;
  address: string;
  body?: unknown;
  reply: Reply;
  /** Of the session; null for a call that needs none. */
  token: string | null;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
  /** The server doesn't accept the token any more. */
  onUnauthorized: (token: string) => void;
}

/**
 * Sends a call and returns its validated response. Throws `Refused` when the server refuses and `Unreachable` when there is no
 * response. Aborting `signal` throws its reason.
 */
export async function send<Reply extends z.ZodType>(sent: Sent<Reply>): Promise<z.output<Reply>> {
  const { method, address, body, token, signal } = sent;
  const headers = new Headers({ accept: 'application/json', 'accept-language': replyLanguage(), ...sent.headers });
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (body !== undefined) headers.set('content-type', 'application/json');

  const timeout = AbortSignal.timeout(timeoutMs);
  const ends = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  const request: RequestInit = { method, headers, credentials: 'omit', cache: 'no-store', signal: ends };
  if (body !== undefined) request.body = JSON.stringify(body);

  const early = method === 'GET' ? takeEarlyCall(address, token, performance.now()) : undefined;
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
    const reply = sent.reply.safeParse(answer);
    if (!reply.success) throw new Unreachable('unreadable', reply.error);
    return reply.data;
  }
  const problem = problemOf(answer, status);
  if (status === 401 && token !== null) sent.onUnauthorized(token);
  await catalogueReady(refusalsInHindi);
  throw new Refused(problem);
}

async function readAll(answer: Promise<Response>): Promise<{ status: number; text: string }> {
  const response = await answer;
  noteServerTime(response.headers.get(portalTimeHeader));
  noteAsOf(response.headers.get(asOfHeader));
  return { status: response.status, text: await response.text() };
}

async function endOf(signal: AbortSignal): Promise<never> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  throw signal.reason;
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
