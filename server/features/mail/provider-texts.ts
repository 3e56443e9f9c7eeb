import { type Day, dayOf } from '#domain/day.ts';
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

/** What is deprecated: `product`, `v1` or `GET /v1/shops/{id}`. */
function deprecatedPart(productName: string, what: string): string {
  if (what === 'product') return productName;
  return what.startsWith('v') ? `Version ${what} of ${productName}` : `${what} of ${productName}`;
}

export function apiDeprecated(
  productName: string,
  deprecated: { productId: string; what: string; since: Day; sunset: Day | null; note: string; link: string | null },
): Letter {
  const { what, since, sunset, note, link } = deprecated;
  const part = deprecatedPart(productName, what);
  return {
    subject: `${part} is deprecated${sunset === null ? '' : ` and may end on ${longDay(sunset)}`}`,
    paragraphs: [
      `${part} is deprecated since ${longDay(since)}. It works as before${sunset === null ? '' : `, but may stop on ${longDay(sunset)}`}. You get this mail once, because you hold a key for it.`,
      note,
      'Please change your programs in time. Every response that is concerned says so in its Deprecation header.',
    ],
    facts: [
      ['Deprecated', part],
      ['Since', longDay(since)],
      ...(sunset === null ? [] : [['May end on', longDay(sunset)] satisfies [string, string]]),
      ...(link === null ? [] : [['More', link] satisfies [string, string]]),
    ],
    link: { label: 'Open the reference', path: `/reference/${deprecated.productId}` },
  };
}
