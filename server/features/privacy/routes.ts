import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ids } from '#shared/contract/ids.ts';
import * as calls from '#shared/contract/privacy.ts';
import { requireSigned } from '#server/features/documents/documents.ts';
import { handle } from '#server/http/handle.ts';
import { sendFile, serveStream } from '#server/http/serve-file.ts';
import { createTurns } from '#server/http/turns.ts';
import { downloadLimits, watchDownload } from '#server/http/watch-download.ts';
import type { Portal } from '#server/portal.ts';
import { askErasure, exportCustomer, exportPath, linkToExport, readErasure, withdrawErasure } from './privacy.ts';
import { spooled } from './spool.ts';

const fileParams = z.object({ customerId: ids.customer });

/** Each export holds a connection to the database while it is read: the other calls must keep most of them. It lies on the disk until its download ends. */
const exportBounds = { atOnce: 2, ofOwner: 1, waiting: 4 };

export function privacyRoutes(app: FastifyInstance, portal: Portal): void {
  handle(app, portal, calls.readDataExport, async ({ owner }) => linkToExport(portal, owner), { perMinute: 2 });

  handle(app, portal, calls.readErasure, ({ owner }) => readErasure(portal, owner));

  handle(app, portal, calls.askErasure, ({ owner }) => askErasure(portal, owner), { perMinute: 10 });

  handle(app, portal, calls.withdrawErasure, ({ owner }) => withdrawErasure(portal, owner), { perMinute: 10 });

  // A file, not JSON: the contract's typed client does not read it.
  serveStream(app, '/account/exports/:customerId/file', fileParams, {
    turns: createTurns(exportBounds),
    identify: async (request, params) => {
      const { customerId } = params();
      await requireSigned(portal, exportPath(customerId), request, 'readDataExport');
      return { customerId };
    },
    make: async ({ who, reply }) => {
      const { content, bytes } = await spooled(await exportCustomer(portal, who));
      const over = watchDownload(content, reply.raw, downloadLimits);
      const name = `${who.customerId}.zip`;
      return { over, send: () => sendFile(reply, { name, type: 'application/zip', content, bytes }) };
    },
  });
}
