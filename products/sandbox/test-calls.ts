import type { FastifyRequest } from 'fastify';

/**
 * Calls of test keys. The gateway marks them with a field that no caller can send through it; they are answered without asking any
 * government system, and what they store stands apart from what live calls store.
 */
export function isTestCall({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['x-octroi-test'] === 'true';
}
