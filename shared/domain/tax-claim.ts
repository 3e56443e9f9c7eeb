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

/**
 * What the GST portal says of a GSTIN that claims to belong to an SEZ. A unit and a developer have a registration of their own kind
 * (CGST Rules r.8(1), provisos), so any other kind contradicts the claim; OTHER is an active registration of another kind.
 */
export type SezOutcome = 'UNIT' | 'DEVELOPER' | 'OTHER' | 'INACTIVE' | 'UNKNOWN';

/** `type` and `status` as the portal writes them; null: it knows no such registration. */
export function sezOutcomeOf(found: { type: string; status: string } | null): SezOutcome {
  if (found === null) return 'UNKNOWN';
  if (!/^active\b/i.test(found.status.trim())) return 'INACTIVE';
  if (/\bsez\s+unit\b/i.test(found.type)) return 'UNIT';
  return /\bsez\s+developer\b/i.test(found.type) ? 'DEVELOPER' : 'OTHER';
}

export function confirmsSez(outcome: SezOutcome): boolean {
  return outcome === 'UNIT' || outcome === 'DEVELOPER';
}

/**
 * Whether a claim decides the tax (product §6.28): by what the GST portal last said of it, and only without an answer by the buyer's
 * declaration.
 */
export function isProven(proof: { declared: boolean; outcome: SezOutcome | undefined }): boolean {
  return proof.outcome === undefined ? proof.declared : confirmsSez(proof.outcome);
}

const hourMs = 3_600_000;

/** How long an answer of the GST portal is relied on (ms): one that confirms a claim for 30 days, any other for an hour. */
export function reliedOnForMs(outcome: SezOutcome): number {
  return confirmsSez(outcome) ? 30 * 24 * hourMs : hourMs;
}

/** How often the GST portal is asked for a customer on one day (IST); each search costs the provider money. The database agrees. */
export const maxSezSearchesPerDay = 10;

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
