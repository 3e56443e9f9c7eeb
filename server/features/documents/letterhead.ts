import type { Profile } from '#shared/contract/account.ts';
import type { Day } from '#shared/domain/day.ts';
import type { StatementPaper } from '#shared/paper/document-paper.ts';
import { brandOf } from '#server/brand/brand.ts';
import { paperBrandOf } from '#server/brand/brand-page.ts';
import type { Portal } from '#server/portal.ts';
import { recipientOf, supplierOf } from './content.ts';
import { contactOf, recipientLines } from './paper-of.ts';

/** Who writes to whom on a paper that is no document under the GST law, with the names of today. */
export function letterheadOf(
  { settings }: Pick<Portal, 'settings'>,
  profile: Profile,
  today: Day,
): Pick<StatementPaper, 'brand' | 'stamp' | 'supplier' | 'recipient'> {
  const [supplier, recipient] = [supplierOf(settings), recipientOf(profile)];
  return {
    brand: paperBrandOf(brandOf(settings)),
    ...(settings.rehearsal && { stamp: 'REHEARSAL' as const }),
    supplier: { ...supplier, contact: contactOf({ supplier, dueOn: today }) },
    recipient: { name: recipient.name, lines: recipientLines({ recipient }), gstin: recipient.gstin },
  };
}
