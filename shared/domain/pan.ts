/** Permanent Account Numbers (income tax): five letters, four digits, a letter. */

/** The holder type by fourth letter. */
export type PanHolder = { letter: string; type: string };

/** `sequence`: the four digits run from 0001 to 9999. */
export type PanResult =
  | { valid: true; pan: string; holder: PanHolder | null }
  | { valid: false; fault: 'shape' | 'sequence'; message: string };

const holderTypes: ReadonlyMap<string, string> = new Map([
  ['A', 'Association of Persons'],
  ['B', 'Body of Individuals'],
  ['C', 'Company'],
  ['F', 'Firm or Limited Liability Partnership'],
  ['G', 'Government'],
  ['H', 'Hindu Undivided Family'],
  ['J', 'Artificial Juridical Person'],
  ['L', 'Local Authority'],
  ['P', 'Individual'],
  ['T', 'Trust'],
]);

const shape = /^[A-Z]{3}([A-Z])[A-Z]([0-9]{4})[A-Z]$/;

/**
 * Checks the format of a PAN. The last letter is a check letter with an unpublished rule, so it is not checked.
 * `holder` is null when the fourth letter is not a known type (old numbers have some), which alone is not an error.
 * Expects upper case.
 */
export function parsePan(pan: string): PanResult {
  const match = shape.exec(pan);
  if (match === null) {
    return { valid: false, fault: 'shape', message: 'A PAN is five letters, four digits and a letter, in upper case.' };
  }
  const [, letter = '', sequence] = match;
  if (sequence === '0000') {
    return { valid: false, fault: 'sequence', message: 'The four digits of a PAN run from 0001 to 9999.' };
  }
  const type = holderTypes.get(letter);
  return { valid: true, pan, holder: type === undefined ? null : { letter, type } };
}
