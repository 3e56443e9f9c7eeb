import type { FastifyInstance } from 'fastify';
import * as calls from '#shared/contract/credit.ts';
import { handle } from '#server/http/handle.ts';
import type { Portal } from '#server/portal.ts';
import { readCredit } from './credit.ts';
import { readStatement } from './statement.ts';

export function creditRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readCredit, ({ owner }) => readCredit(portal, owner));
  handle(app, portal, calls.readStatement, ({ owner, query }) => readStatement(owner, portal.db, query));
}
