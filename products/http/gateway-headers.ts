import type { FastifyRequest } from 'fastify';

/**
 * Calls of test keys. The gateway marks them with a field that no caller can send through it; they are answered without asking any
 * government system, and what they store stands apart from what live calls store.
 */
export function isTestCall({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['x-octroi-test'] === 'true';
}

/** The activation that the gateway names; calls that come past the gateway share one name, and test calls are somebody else. */
export function callerOf(request: FastifyRequest): string {
  const activation = request.headers['x-octroi-activation'];
  const caller = typeof activation === 'string' && activation !== '' ? activation : 'direct';
  return isTestCall(request) ? `${caller}/test` : caller;
}

/** The customer that the gateway names, apart for test calls; the caller where it names none. */
export function customerOf(request: FastifyRequest): string {
  const customer = request.headers['x-octroi-customer'];
  if (typeof customer !== 'string' || customer === '') return callerOf(request);
  return isTestCall(request) ? `${customer}/test` : customer;
}
