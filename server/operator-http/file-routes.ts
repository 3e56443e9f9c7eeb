import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ExportName, operatorCalls } from '#shared/contract/operator/calls.ts';
import { fileRequest } from '#shared/contract/operator/http.ts';
import { actingAs } from '#server/audit-log/acting-operator.ts';
import type { SignedInOperator } from '#server/auth/operator-sessions.ts';
import { zipOf } from '#server/features/month-pack/month-pack.ts';
import { requireOperator } from '#server/http/handle.ts';
import { sendFile, serveStream } from '#server/http/serve-file.ts';
import { createTurns } from '#server/http/turns.ts';
import { downloadLimits, watchDownload } from '#server/http/watch-download.ts';
import { exportUntyped } from '#server/operator-calls.ts';
import type { StoredFile, TextFile } from '#server/operator-handler.ts';
import type { Portal } from '#server/portal.ts';
import { actingFor, actorOf } from './act.ts';
import { requireRight } from './rights.ts';

/** Making one reads the whole books, and a turn lasts until its file is sent. */
const fileLimits = { atOnce: 2, ofOwner: 1, waiting: 4 };

/** The file of every call that has one. Its right is asked for the request, for the audit log, and again before each part of the file. */
export function fileRoutes(app: FastifyInstance, portal: Portal): void {
  const turns = createTurns(fileLimits);
  const requireStill = async (request: FastifyRequest, name: ExportName): Promise<SignedInOperator> => {
    const operator = await requireOperator(portal, request);
    requireRight(portal, operator, name);
    return operator;
  };
  for (const call of Object.values(operatorCalls)) {
    if (!('file' in call)) continue;
    const { name, file: type } = call;
    const { path, schema } = fileRequest(name);
    serveStream(app, path, z.object({}), {
      turns,
      schema,
      identify: (request) => requireStill(request, name),
      make: async ({ who, request, reply }) => {
        const { query: input, id: requestId } = request;
        const acting = actingFor(portal, who, { name, input, requestId, idempotencyKey: undefined });
        const made = await actingAs(acting, () => exportUntyped(portal, who.role, name, input, actorOf(who)));
        const parts = [...(made.stored?.(portal.documentFiles) ?? []), ...made.texts];
        const guarded = parts.map((part: StoredFile | TextFile) => ({
          name: part.name,
          content: async () => {
            await requireStill(request, name);
            return typeof part.content === 'string' ? Buffer.from(part.content) : part.content();
          },
        }));
        const content = zipOf(guarded, made.at);
        const over = watchDownload(content, reply.raw, downloadLimits);
        return { over, send: () => sendFile(reply, { name: made.name, type, content }) };
      },
    });
  }
}
