import { dayOf } from '#domain/day.ts';
import { longDay, minuteText } from '#domain/day-text.ts';
import type { Letter } from './letter.ts';

/** Mails about what the provider did. */

export function keyRevoked(revoked: {
  keyName: string;
  hint: string;
  activationId: string;
  reason: string;
  at: Date;
}): Letter {
  return {
    subject: `We revoked your API key ${revoked.keyName}`,
    paragraphs: [
      `We revoked your API key ${revoked.keyName}, which ends with ${revoked.hint}. Calls with it are refused. Your plan and its quota are not affected.`,
      'Please generate a new key and use it in your programs. If the old key stands in a repository or a log, remove it there.',
    ],
    facts: [
      ['Reason', revoked.reason],
      ['Time', `${longDay(dayOf(revoked.at.getTime()))}, ${minuteText(revoked.at)} IST`],
      ['Activation', revoked.activationId],
    ],
    link: { label: 'Open your API keys', path: `/api/${revoked.activationId}?tab=keys` },
  };
}
