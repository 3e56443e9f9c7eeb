import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ids } from '#contract/ids.ts';
import { monthSchema, readMonthPack as readMonthPackCall } from '#contract/month-pack.ts';
import { requireSigned } from '#server/features/documents/documents.ts';
import { handle } from '#server/http/handle.ts';
import { anyone, sendFile, serveStream } from '#server/http/serve-file.ts';
import type { Portal } from '#server/portal.ts';
import { linkToMonthPack, packPath, readMonthPack } from './month-pack.ts';

const fileParams = z.object({ customerId: ids.customer, month: monthSchema });
const signed = z
  .object({ expires: z.coerce.number().int(), signature: z.string().length(64) })
  .catch({ expires: 0, signature: '' });

export function monthPackRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, readMonthPackCall, ({ caller, params }) => linkToMonthPack(portal, caller, params.month), {
    perMinute: 10,
  });

  // A file, not JSON: the contract's typed client does not read it.
  serveStream(app, '/billing/packs/:customerId/:month/file', fileParams, anyone, async ({ params, request, reply }) => {
    const { customerId, month } = params;
    requireSigned(portal, packPath(customerId, month), signed.parse(request.query));
    const content = await readMonthPack(portal, { customerId }, month);
    return sendFile(reply, { name: `documents-${month}.zip`, type: 'application/zip', content });
  });
}
