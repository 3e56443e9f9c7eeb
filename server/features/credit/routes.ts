import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as calls from '#shared/contract/credit.ts';
import { ids } from '#shared/contract/ids.ts';
import { daySchema } from '#shared/contract/values.ts';
import type { Day } from '#shared/domain/day.ts';
import { requireSigned, signedLink } from '#server/features/documents/documents.ts';
import { callTurns } from '#server/http/call-turns.ts';
import { handle } from '#server/http/handle.ts';
import { sendFile, serveFile } from '#server/http/serve-file.ts';
import type { Portal } from '#server/portal.ts';
import { readCredit } from './credit.ts';
import { readStatement } from './statement.ts';
import { printStatement } from './statement-paper.ts';

const fileParams = z.object({ customerId: ids.customer, from: daySchema, to: daySchema });

export function creditRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readCredit, ({ owner }) => readCredit(portal, owner));
  handle(app, portal, calls.readStatement, ({ owner, query }) => readStatement(owner, portal.db, query));
  handle(app, portal, calls.readStatementPaper, async ({ owner, params: { from, to } }) => ({
    downloadUrl: signedLink(portal, paperPath(owner.customerId, from, to), owner),
  }));

  // A file, not JSON: the contract's typed client does not read it.
  serveFile(app, '/billing/statement/:customerId/:from/:to/file', fileParams, {
    turns: callTurns(portal),
    identify: async (request, params) => {
      const { customerId, from, to } = params();
      await requireSigned(portal, paperPath(customerId, from, to), request, 'readStatementPaper');
      return { customerId };
    },
    make: async ({ who, params: { from, to }, reply }) => {
      const content = await printStatement(portal, who, { from, to });
      return { send: () => sendFile(reply, { name: `statement-${from}-${to}.pdf`, type: 'application/pdf', content }) };
    },
  });
}

const paperPath = (customerId: string, from: Day, to: Day): string =>
  `/billing/statement/${customerId}/${from}/${to}/file`;
