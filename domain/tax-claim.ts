/** What a buyer claims that decides the tax: a unit or developer of a Special Economic Zone, or a recipient outside India. */
export type TaxClaimKind = 'SEZ' | 'EXPORT';

/** A claim is about a GSTIN or a country: for another one it must be made again. */
export interface TaxClaim {
  kind: TaxClaimKind;
  about: string;
}

/** The claim that a business profile makes; undefined for buyers whose tax follows from State and GSTIN alone. */
export function claimOf(profile: {
  country?: string | undefined;
  gstin: string | null;
  sez?: boolean | undefined;
}): TaxClaim | undefined {
  const { country = 'IN', gstin, sez = false } = profile;
  if (country !== 'IN') return { kind: 'EXPORT', about: country };
  return sez && gstin !== null ? { kind: 'SEZ', about: gstin } : undefined;
}

/** The letter that supports a claim. */
export const maxLetterBytes = 1_000_000;
export const letterTypes = ['application/pdf', 'image/jpeg', 'image/png'] as const;
export type LetterType = (typeof letterTypes)[number];

const signatures: readonly { type: LetterType; bytes: readonly number[] }[] = [
  { type: 'application/pdf', bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { type: 'image/jpeg', bytes: [0xff, 0xd8, 0xff] },
  { type: 'image/png', bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
];

/** The type of a letter by its first bytes; its name and what a browser says of it can be wrong. Undefined for any other file. */
export function letterTypeOf(file: Uint8Array): LetterType | undefined {
  return signatures.find(({ bytes }) => bytes.every((byte, index) => file[index] === byte))?.type;
}
