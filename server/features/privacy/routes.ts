import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ids } from '#contract/ids.ts';
import * as calls from '#contract/privacy.ts';
import { requireSigned } from '#server/features/documents/documents.ts';
import { handle } from '#server/http/handle.ts';
import { anyone, sendFile, serveStream } from '#server/http/serve-file.ts';
import { createTurns } from '#server/http/turns.ts';
import type { Portal } from '#server/portal.ts';
import { refuse } from '#server/refusals/refuse.ts';
import { askErasure, exportCustomer, exportPath, linkToExport, readErasure, withdrawErasure } from './privacy.ts';
import { spooled } from './spool.ts';
import { watchDownload } from './watch-download.ts';

const fileParams = z.object({ customerId: ids.customer });
const signed = z
  .object({ expires: z.coerce.number().int(), signature: z.string().length(64) })
  .catch({ expires: 0, signature: '' });

/** Each export holds a connection to the database while it is read: the other calls must keep most of them. */
const exportBounds = { atOnce: 2, ofOwner: 1, waiting: 4 };

/** An export lies on the disk until its download ends, so a customer has one at a time, and none stays open. */
const downloadLimits = { idleMs: 2 * 60_000, longestMs: 15 * 60_000 };

export function privacyRoutes(app: FastifyInstance, portal: Portal): void {
  const takeTurn = createTurns(exportBounds);

  handle(app, portal, calls.readDataExport, async ({ caller }) => linkToExport(portal, caller), { perMinute: 2 });

  handle(app, portal, calls.readErasure, ({ caller }) => readErasure(portal, caller));

  handle(app, portal, calls.askErasure, ({ caller }) => askErasure(portal, caller), { perMinute: 10 });

  handle(app, portal, calls.withdrawErasure, ({ caller }) => withdrawErasure(portal, caller), { perMinute: 10 });

  // A file, not JSON: the contract's typed client does not read it.
  serveStream(app, '/account/exports/:customerId/file', fileParams, anyone, async ({ params, request, reply }) => {
    requireSigned(portal, exportPath(params.customerId), signed.parse(request.query));
    const make = async () => {
      // The caller hung up while it waited.
      if (request.raw.socket.destroyed) throw refuse('unavailable');
      const file = await spooled(await exportCustomer(portal, params));
      return { ...file, watched: watchDownload(file.content, reply.raw, downloadLimits) };
    };
    const { content, bytes } = await takeTurn(params.customerId, make, ({ watched }) => watched);
    return sendFile(reply, { name: `${params.customerId}.zip`, type: 'application/zip', content, bytes });
  });
}
