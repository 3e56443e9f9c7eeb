import type { FastifyRequest } from 'fastify';
import { findView, type View } from '#server/auth/views.ts';
import type { Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { tokenOf } from './token.ts';

/** The requests of operators who see the portal as a customer. */
const viewing = new WeakMap<FastifyRequest, { view: View; portal: Portal }>();

/** Whose view it is; refuses when it is missing, unknown or over. */
export async function requireView(portal: Portal, request: FastifyRequest): Promise<View> {
  const view = portal.viewDb && (await findView(portal.viewDb, tokenOf(request), portal.machineClock));
  if (view === undefined) throw refuse('unauthorized');
  return view;
}

/** Begins a request in a view. */
export async function enterView(portal: Portal, request: FastifyRequest): Promise<View> {
  const view = await requireView(portal, request);
  viewing.set(request, { view, portal });
  return view;
}

export const viewOf = (request: FastifyRequest): View | undefined => viewing.get(request)?.view;

/** Once more before anything is sent: the operator may have been removed since the request began. */
export async function requireViewStill(request: FastifyRequest): Promise<void> {
  const found = viewing.get(request);
  if (found) await requireView(found.portal, request);
}
