import { z } from 'zod';
import { maxMessage, maxSubject } from '#shared/domain/support-thread.ts';
import { keptInTab } from '#web/session/storage.ts';

const draftSchema = z.object({ subject: z.string(), message: z.string() });
export type Draft = z.output<typeof draftSchema>;

export const emptyDraft: Draft = { subject: '', message: '' };

/**
 * A draft message about an activation, in a thread or of a customer in general, stored in the tab until it is sent: it survives a reload and
 * the end of a session, but not Logout in any tab (session.ts).
 */
export function readDraft(about: string): Draft {
  try {
    return draftSchema.parse(JSON.parse(keptInTab.read(keyOf(about)) ?? ''));
  } catch {
    return emptyDraft;
  }
}

/** Keeps a draft; an empty one is forgotten. */
export function keepDraft(about: string, draft: Draft): void {
  keptInTab.keep(keyOf(about), isEmpty(draft) ? null : JSON.stringify(draft));
}

/** Is there nothing in it that could be lost? */
export function isEmpty({ subject, message }: Draft): boolean {
  return subject.trim() === '' && message.trim() === '';
}

/** A draft that another page begins, within the form's limits. */
export function draftAbout(subject: string, message: string): Draft {
  return { subject: subject.slice(0, maxSubject), message: message.slice(0, maxMessage) };
}

function keyOf(about: string): string {
  return `portal.support-draft.${about}`;
}
