import { parsePan, type PanHolder } from '#shared/domain/pan.ts';
import { findState, type State } from '#shared/domain/states.ts';

/** The seven formats of a registration number that the GST portal publishes. */
export type GstinKind =
  | 'normal'
  | 'government'
  | 'non_resident'
  | 'online_service_abroad'
  | 'un_body_or_embassy'
  | 'tax_deductor'
  | 'tax_collector';

/** Positions count from 1, as people do. */
export type GstinFault =
  | { code: 'length'; message: string; length: number }
  | { code: 'characters'; message: string; positions: number[] }
  | { code: 'state'; message: string; stateCode: string }
  | { code: 'shape'; message: string; position: number }
  | { code: 'pan'; message: string; pan: string }
  | { code: 'check_character'; message: string; expected: string; actual: string };

export type GstinResult =
  | {
      valid: true;
      gstin: string;
      kind: GstinKind;
      stateCode: string;
      state: State;
      /** Characters 3 to 12 where the number is based on a PAN; null for the other kinds. */
      pan: string | null;
      holder: PanHolder | null;
      checkCharacter: string;
    }
  | { valid: false; gstin: string; faults: GstinFault[] };

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/**
 * The formats of the first 14 characters; the last one is computed. The order matters, since a tax deductor's number
 * also matches the normal format. Numbers of government departments and of many deductors are based on a TAN, not a
 * PAN.
 */
const shapes: readonly { kind: GstinKind; shape: RegExp }[] = [
  { kind: 'tax_collector', shape: /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]C$/ },
  { kind: 'tax_deductor', shape: /^\d{2}[A-Z]{4}[A-Z0-9]\d{4}[A-Z][1-9A-Z]D$/ },
  { kind: 'normal', shape: /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z][Z1-9ABE-J]$/ },
  { kind: 'government', shape: /^\d{2}[A-Z]{4}\d{5}[A-Z]\dZ$/ },
  { kind: 'online_service_abroad', shape: /^99\d{2}[A-Z]{3}\d{5}OS$/ },
  { kind: 'non_resident', shape: /^\d{4}[A-Z]{3}\d{5}NR$/ },
  { kind: 'un_body_or_embassy', shape: /^\d{4}[A-Z]{3}\d{5}[UO]N$/ },
];

/** What each position of a normal number contains, to report where a number first breaks the format. */
const normalPositions: readonly { allowed: RegExp; says: string }[] = [
  ...Array.from({ length: 2 }, () => ({ allowed: /\d/, says: 'a digit of the state code' })),
  ...Array.from({ length: 5 }, () => ({ allowed: /[A-Z]/, says: 'a letter (it belongs to the PAN)' })),
  ...Array.from({ length: 4 }, () => ({ allowed: /\d/, says: 'a digit (it belongs to the PAN)' })),
  { allowed: /[A-Z]/, says: 'a letter (the last of the PAN)' },
  { allowed: /[1-9A-Z]/, says: '1 to 9 or a letter (the number of this registration)' },
  { allowed: /[Z1-9A-J]/, says: "'Z' for almost every registration" },
];

/**
 * The 15th character for the first 14 (Luhn, modulo 36): weights 1 and 2 in turn from the left, each product reduced to
 * the sum of its two digits in base 36. Detects every single wrong character and every swap of neighbours except 0 with
 * Z. Throws a RangeError unless given 14 characters of 0-9 and A-Z.
 */
export function gstinCheckCharacter(first14: string): string {
  if (!/^[0-9A-Z]{14}$/.test(first14))
    throw new RangeError('The check character is computed over 14 characters 0-9, A-Z.');
  let sum = 0;
  for (let index = 0; index < 14; index += 1) {
    const product = alphabet.indexOf(first14.charAt(index)) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return alphabet.charAt((36 - (sum % 36)) % 36);
}

/**
 * Checks a GSTIN (or UIN) by its structure: length, characters, state, shape, PAN, check character. Surrounding spaces
 * and lower-case letters are accepted. Whether the number was ever issued or is still active is unknown. Sources: the
 * patterns published at developer.gst.gov.in; CGST Rules 2017, rule 10.
 */
export function parseGstin(input: string): GstinResult {
  // Only a-z is upper-cased: toUpperCase would also convert letters of other alphabets into valid ones.
  const gstin = input.trim().replaceAll(/[a-z]/g, (letter) => letter.toUpperCase());
  const unreadable = faultOfText(gstin);
  if (unreadable !== null) return { valid: false, gstin, faults: [unreadable] };

  const first14 = gstin.slice(0, 14);
  const stateCode = gstin.slice(0, 2);
  const state = findState(stateCode);
  const kind = shapes.find(({ shape }) => shape.test(first14))?.kind;
  const faults: GstinFault[] = [];
  if (state === undefined || !state.usedAs.gstin) {
    faults.push({ code: 'state', message: `'${stateCode}' is not a state code of GST registrations.`, stateCode });
  }
  if (kind === undefined) faults.push(faultOfShape(first14));
  const pan = parsePan(gstin.slice(2, 12));
  if (kind !== undefined && !pan.valid && pan.fault === 'sequence') {
    faults.push({ code: 'pan', message: pan.message, pan: gstin.slice(2, 12) });
  }
  // For an invalid body the expected character would mislead, so it is only reported when the body is valid.
  const expected = gstinCheckCharacter(first14);
  const actual = gstin.charAt(14);
  if (faults.length === 0 && actual !== expected) {
    const message = `The last character should be '${expected}', not '${actual}': one of the 15 characters is mistyped.`;
    faults.push({ code: 'check_character', message, expected, actual });
  }
  if (state === undefined || kind === undefined || faults.length > 0) return { valid: false, gstin, faults };
  return {
    valid: true,
    gstin,
    kind,
    stateCode,
    state,
    pan: pan.valid ? pan.pan : null,
    holder: pan.valid ? pan.holder : null,
    checkCharacter: expected,
  };
}

/** The state of a valid GSTIN; undefined when the number is not valid. */
export function stateOfGstin(gstin: string): State | undefined {
  const parsed = parseGstin(gstin);
  return parsed.valid ? parsed.state : undefined;
}

function faultOfText(gstin: string): GstinFault | null {
  const characters = Array.from(gstin);
  const positions = characters.flatMap((character, index) => (alphabet.includes(character) ? [] : [index + 1]));
  if (positions.length > 0 && characters.length === 15) {
    const message = `A GSTIN contains only A-Z and 0-9; check position ${positions.join(', ')}.`;
    return { code: 'characters', message, positions };
  }
  if (characters.length !== 15) {
    const message = `A GSTIN has 15 characters, this has ${characters.length}.`;
    return { code: 'length', message, length: characters.length };
  }
  return null;
}

function faultOfShape(first14: string): GstinFault {
  const index = normalPositions.findIndex(({ allowed }, at) => !allowed.test(first14.charAt(at)));
  // A number can match each position of the normal format only if it matches the normal format, which was checked
  // before.
  const says = normalPositions[index]?.says ?? 'a character of a published format';
  const message = `Position ${index + 1} is '${first14.charAt(index)}' where a GSTIN has ${says}.`;
  return { code: 'shape', message, position: index + 1 };
}
