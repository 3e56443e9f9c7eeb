import type { FastifyRequest } from 'fastify';

/**
 * Calls of test keys. The gateway marks them with a header that no caller can send through it; they never reach a
 * government system, and their data is separate from that of live calls.
 */
export function isTestCall({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['x-octroi-test'] === 'true';
}

/** The activation named by the gateway. Direct calls share one name, and test calls are kept separate. */
export function callerOf(request: FastifyRequest): string {
  const activation = request.headers['x-octroi-activation'];
  const caller = typeof activation === 'string' && activation !== '' ? activation : 'direct';
  return isTestCall(request) ? `${caller}/test` : caller;
}

/** The customer named by the gateway, separate for test calls; the activation when the gateway names no customer. */
export function customerOf(request: FastifyRequest): string {
  const customer = request.headers['x-octroi-customer'];
  if (typeof customer !== 'string' || customer === '') return callerOf(request);
  return isTestCall(request) ? `${customer}/test` : customer;
}
