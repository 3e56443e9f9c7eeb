import type { Db } from '#shared/database/connect.ts';

/** A mail that nobody could send for so long is no news any more. */
const newsMs = 30 * 86_400_000;

/** Mails that are not sent yet: `octroi doctor` counts those that wait for long, operators see those that fail. */
export const selectUnsentMails = (db: Db, nowMs: number) =>
  db
    .selectFrom('mails')
    .where('sent_at', 'is', null)
    .where('withheld', '=', false)
    .where('created_at', '>', new Date(nowMs - newsMs));
