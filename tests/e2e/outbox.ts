import type { Page } from '@playwright/test';
import { z } from 'zod';

const mailsSchema = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }));

/** The mails to an address, newest first. */
export async function mailsTo(page: Page, address: string) {
  const outbox = await page.request.get('/backend/outbox', { headers: { accept: 'application/json' } });
  return mailsSchema.parse(await outbox.json()).filter(({ to }) => to === address);
}
