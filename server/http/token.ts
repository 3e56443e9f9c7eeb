import type { FastifyRequest } from 'fastify';

/** The bearer token of a request; empty without one. */
export function tokenOf(request: Pick<FastifyRequest, 'headers'>): string {
  return /^Bearer +([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
