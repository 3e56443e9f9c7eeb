import { momentText } from '#shared/domain/day-text.ts';
import { escapeHtml } from '#server/features/mail/mail.ts';

interface OutboxRow {
  id: string;
  recipient: string;
  subject: string;
  created_at: Date;
  sent_at: Date | null;
  number: string | null;
}

/** The outbox as a page without scripts, newest mail first. */
export function outboxPage(rows: readonly OutboxRow[], hasMailServer: boolean): string {
  const lines = rows.map((row) => {
    const id = encodeURIComponent(row.id);
    const paper = row.number === null ? '' : `<a href="outbox/${id}/paper">${escapeHtml(row.number)}</a>`;
    const state = row.sent_at ? `sent ${momentText(row.sent_at)}` : 'not sent';
    return `<tr><td>${momentText(row.created_at)}</td><td>${escapeHtml(row.recipient)}</td><td><a href="outbox/${id}">${escapeHtml(row.subject)}</a></td><td>${paper}</td><td>${state}</td></tr>`;
  });
  const word = hasMailServer
    ? 'Mails are sent through the configured mail server.'
    : 'No mail server is configured (SMTP_URL), so mails are stored here and not sent.';
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Outbox</title>',
    '<meta name="viewport" content="width=device-width"><style>',
    'body{margin:32px auto;max-width:1100px;padding:0 16px;font:15px/1.5 system-ui,sans-serif;color:#171e1a;background:#fff}',
    'table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:8px 12px 8px 0;border-bottom:1px solid #d0d2ce;vertical-align:top}',
    'th{font-size:13px;color:#494f4a;font-weight:600}a{color:#106641}</style></head><body>',
    `<h1>Outbox</h1><p>${word} This page exists only while the stand-ins are in use.</p>`,
    rows.length === 0
      ? '<p>No mail yet.</p>'
      : `<table><thead><tr><th>Written</th><th>To</th><th>Subject</th><th>Paper</th><th>State</th></tr></thead><tbody>${lines.join('')}</tbody></table>`,
    '</body></html>\n',
  ].join('');
}
