import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ids } from '#shared/contract/ids.ts';
import { documentFileName, isExempt } from '#shared/domain/document.ts';
import { finishDocument } from '#server/features/documents/documents.ts';
import { sendFile, servePublic } from '#server/http/serve-file.ts';
import { refuse } from '#server/refusals/refuse.ts';
import type { Portal } from '#server/portal.ts';
import { outboxPage } from './outbox-page.ts';

const mailParams = z.object({ id: ids.mail });
const newest = 200;

/** The outbox page with all mails, for development. It does not exist in production. */
export function outboxRoutes(app: FastifyInstance, portal: Portal): void {
  if (!portal.settings.standins) return;

  const mails = () =>
    portal.db
      .selectFrom('mails')
      .leftJoin('documents', 'documents.id', 'mails.document_id')
      .select(['mails.id', 'recipient', 'subject', 'body_text', 'body_html', 'mails.created_at', 'sent_at'])
      .select(['mails.document_id', 'documents.kind', 'documents.number', 'documents.content']);

  app.get('/outbox', { schema: { hide: true } }, async (request, reply) => {
    const rows = await mails().orderBy('mails.created_at', 'desc').orderBy('mails.id').limit(newest).execute();
    reply.header('cache-control', 'no-store');
    if (request.headers.accept?.includes('application/json') === true) {
      return reply.send(
        rows.map((row) => ({
          id: row.id,
          to: row.recipient,
          subject: row.subject,
          text: row.body_text,
          document: row.number,
          createdAt: row.created_at.toISOString(),
          sentAt: row.sent_at?.toISOString() ?? null,
        })),
      );
    }
    return reply.type('text/html; charset=utf-8').send(outboxPage(rows, portal.mailer !== undefined));
  });

  servePublic(app, '/outbox/:id', mailParams, async ({ params, reply }) => {
    const mail = await mails().where('mails.id', '=', params.id).executeTakeFirst();
    if (!mail) throw refuse('not_found');
    return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(mail.body_html);
  });

  servePublic(app, '/outbox/:id/paper', mailParams, async ({ params, reply }) => {
    const mail = await mails().where('mails.id', '=', params.id).executeTakeFirst();
    const content = mail?.document_id ? await finishDocument(portal, mail.document_id) : undefined;
    if (!content || !mail?.kind || !mail.number || !mail.content) throw refuse('not_found');
    const { kind, number } = mail;
    const name = documentFileName({ kind, number, exempt: isExempt(mail.content) });
    return sendFile(reply, { name, type: 'application/pdf', content, isShown: true });
  });
}
