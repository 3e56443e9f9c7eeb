import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ids } from '#shared/contract/ids.ts';
import { monthSchema, readMonthPack as readMonthPackCall } from '#shared/contract/month-pack.ts';
import type { Month } from '#shared/domain/month.ts';
import { requireSigned } from '#server/features/documents/documents.ts';
import { handle } from '#server/http/handle.ts';
import { sendFile, serveStream } from '#server/http/serve-file.ts';
import { createTurns } from '#server/http/turns.ts';
import { downloadLimits, watchDownload } from '#server/http/watch-download.ts';
import type { Owner, Portal } from '#server/portal.ts';
import {
  accountantPackPath,
  customerOfAccountant,
  linkToMonthPack,
  packLimits,
  packPath,
  readMonthPack,
} from './month-pack.ts';

const fileParams = z.object({ customerId: ids.customer, month: monthSchema });
const accountantParams = z.object({ accountantId: ids.accountant, month: monthSchema });

export function monthPackRoutes(app: FastifyInstance, portal: Portal): void {
  const turns = createTurns(packLimits);
  const requireLink = (request: FastifyRequest, path: string) => requireSigned(portal, path, request, 'readMonthPack');
  const make = async (owner: Owner, month: Month, reply: FastifyReply) => {
    const content = await readMonthPack(portal, owner, month);
    const over = watchDownload(content, reply.raw, downloadLimits);
    const name = `documents-${month}.zip`;
    return { over, send: () => sendFile(reply, { name, type: 'application/zip', content }) };
  };

  handle(app, portal, readMonthPackCall, ({ owner, params }) => linkToMonthPack(portal, owner, params.month), {
    perMinute: 10,
  });

  // Files, not JSON: the contract's typed client does not read them.
  serveStream(app, '/billing/packs/:customerId/:month/file', fileParams, {
    turns,
    identify: async (request, params) => {
      const { customerId, month } = params();
      await requireLink(request, packPath(customerId, month));
      return { customerId };
    },
    make: ({ who, params, reply }) => make(who, params.month, reply),
  });

  serveStream(app, '/accountants/:accountantId/packs/:month/file', accountantParams, {
    turns,
    identify: async (request, params) => {
      const { accountantId, month } = params();
      await requireLink(request, accountantPackPath(accountantId, month));
      return customerOfAccountant(portal.db, accountantId);
    },
    make: ({ who, params, reply }) => make(who, params.month, reply),
  });
}
