import { z } from 'zod';
import { isPin } from '#shared/domain/pin-states.ts';
import { printable } from '#shared/domain/printable.ts';

/** A text that documents show. */
export const printedText = (min: number, max: number) =>
  z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine(...printable);

/** Lengths are those of the e-invoice schema INV-01, so that every printed document can also be registered. */
export const nameField = printedText(3, 100).describe('Legal name');

const line1 = printedText(1, 100).describe('Building and street');
const line2 = printedText(3, 100).optional().describe('Locality');
const city = printedText(3, 50).describe('City or district');

/** An address in India. */
export const indianAddress = z
  .strictObject({
    line1,
    line2,
    city,
    pin: z
      .string()
      .refine(isPin, 'A PIN has six digits and does not begin with 0.')
      .describe('Six digits')
      .meta({ pattern: '^[1-9][0-9]{5}$', examples: ['560001'] }),
  })
  .meta({ id: 'IndianAddress' });

const countryNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Codes that programs use for no country. */
const noCountry = new Set(['ZZ', 'XA', 'XB', 'QO', 'EU', 'EZ', 'UN']);

/** The English name of a country; undefined for two letters that are no code, or one that was withdrawn, such as UK. */
export function countryName(code: string): string | undefined {
  const current = new Intl.Locale(`und-${code}`).region === code && !noCountry.has(code);
  return current ? countryNames.of(code) : undefined;
}

/** An address anywhere; PINs are for India, a country code for everywhere else. */
export const anyAddress = z
  .strictObject({
    line1,
    line2,
    city,
    pin: z
      .string()
      .max(20)
      .refine(...printable)
      .optional()
      .describe('Six digits in India; the postal code elsewhere'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/, { error: 'Enter a country as two capital letters (ISO 3166-1).', abort: true })
      .refine((code) => countryName(code) !== undefined, 'No country has this code (ISO 3166-1).')
      .optional()
      .describe('Of a recipient outside India, two letters (ISO 3166-1)'),
  })
  .meta({ id: 'Address' });

export type IndianAddress = z.output<typeof indianAddress>;
export type AnyAddress = z.output<typeof anyAddress>;
