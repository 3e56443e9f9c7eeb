import { maxPeriods } from '#shared/domain/payment.ts';

/** What a pay link says: the subscriptions that it is for, and how often the links of their activation had been ended when it was made (decision 077). */
export interface PayLink {
  cycleIds: readonly string[];
  number: number;
}

/** What is signed, and stands before the signature. */
export const payLinkText = ({ cycleIds, number }: PayLink): string => [...cycleIds, number].join('.');

/** Behind the `#`, which browsers send to nobody. */
export const payLinkPath = (link: PayLink, signature: string): string => `/pay#${payLinkText(link)}.${signature}`;

const written = /^((?:CYC-[0-9A-Za-z-]+\.)+)(\d{1,9})\.([0-9a-f]{64})$/;

/** What stands behind the `#`; undefined for a text of another form. */
export function parsePayLink(text: string): (PayLink & { signature: string }) | undefined {
  const [, cycles = '', number = '', signature = ''] = written.exec(text) ?? [];
  const cycleIds = cycles.split('.').slice(0, -1);
  const isOne = cycleIds.length > 0 && cycleIds.length <= maxPeriods && new Set(cycleIds).size === cycleIds.length;
  return isOne ? { cycleIds, number: Number(number), signature } : undefined;
}
