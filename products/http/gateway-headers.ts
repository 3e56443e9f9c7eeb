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
  const caller = named(request, 'x-octroi-activation') ?? 'direct';
  return isTestCall(request) ? `${caller}/test` : caller;
}

/** The customer named by the gateway, separate for test calls; the activation when the gateway names no customer. */
export function customerOf(request: FastifyRequest): string {
  const customer = named(request, 'x-octroi-customer');
  if (customer === undefined) return callerOf(request);
  return isTestCall(request) ? `${customer}/test` : customer;
}

/** Whose share of this process a call takes: the customer's, for live and test calls of all activations together. */
export function sharerOf(request: FastifyRequest): string {
  return named(request, 'x-octroi-customer') ?? named(request, 'x-octroi-activation') ?? 'direct';
}

function named({ headers }: FastifyRequest, header: string): string | undefined {
  const value = headers[header];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
