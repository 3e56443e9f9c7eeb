import { z } from 'zod';

const draftSchema = z.object({ subject: z.string(), message: z.string() });
export type Draft = z.output<typeof draftSchema>;

export const emptyDraft: Draft = { subject: '', message: '' };

/** A draft message, stored in the tab until it is sent: it survives a reload and the end of a session. */
export function readDraft(activationId: string): Draft {
  try {
    return draftSchema.parse(JSON.parse(sessionStorage.getItem(keyOf(activationId)) ?? ''));
  } catch {
    return emptyDraft;
  }
}

/** Keeps a draft; an empty one is forgotten. */
export function keepDraft(activationId: string, draft: Draft): void {
  if (isEmpty(draft)) sessionStorage.removeItem(keyOf(activationId));
  else sessionStorage.setItem(keyOf(activationId), JSON.stringify(draft));
}

/** Is there nothing in it that could be lost? */
export function isEmpty({ subject, message }: Draft): boolean {
  return subject.trim() === '' && message.trim() === '';
}

function keyOf(activationId: string): string {
  return `portal.support-draft.${activationId}`;
}
