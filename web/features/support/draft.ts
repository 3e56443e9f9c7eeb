import { z } from 'zod';

const draftSchema = z.object({ subject: z.string(), message: z.string() });
export type Draft = z.output<typeof draftSchema>;

/** The form's limits, in characters. */
export const maxSubject = 120;
export const maxMessage = 5000;

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

/** A draft that another page begins, within the form's limits. */
export function draftAbout(subject: string, message: string): Draft {
  return { subject: subject.slice(0, maxSubject), message: message.slice(0, maxMessage) };
}

function keyOf(activationId: string): string {
  return `portal.support-draft.${activationId}`;
}
