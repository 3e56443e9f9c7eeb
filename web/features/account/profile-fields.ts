import { printedFields, type Profile } from '#shared/contract/account.ts';
import { type GstinFault, parseGstin } from '#shared/domain/gstin.ts';
import { withoutHidden } from '#shared/domain/hidden-characters.ts';
import { namedCharacter, unprintableIn } from '#shared/domain/printable.ts';
import { otherStatesOfPin } from '#shared/domain/pin-states.ts';
import { currentPlaceOfSupply, otherCountriesCode } from '#shared/domain/states.ts';
import { accountTexts } from '#web/features/account/texts.ts';

/** The form's fields as they are typed. */
export type ProfileFields = Record<Exclude<keyof Profile, 'sez'>, string> & { sez: boolean };

const india = 'IN';

/** Is it a buyer outside India, for whom there is no State, no GSTIN and no zone? */
export function isAbroad({ country }: Pick<ProfileFields, 'country'>): boolean {
  return country !== india;
}

/** The initial values of the form. */
export function fieldsOf(profile: Profile | null, suggestedName: string): ProfileFields {
  const empty = { legalName: suggestedName, phone: '', gstin: '', address: '', city: '', pin: '', stateCode: '' };
  const order = { purchaseOrder: profile?.purchaseOrder ?? '', purchaseOrderDate: profile?.purchaseOrderDate ?? '' };
  if (profile === null) return { ...empty, ...order, sez: false, country: india };
  return {
    ...profile,
    ...order,
    gstin: profile.gstin ?? '',
    sez: profile.sez ?? false,
    country: profile.country ?? india,
  };
}

/** The input in the format of the call. */
export function profileOf(fields: ProfileFields): Profile {
  const gstin = fields.gstin.trim();
  const { purchaseOrder, purchaseOrderDate } = fields;
  const given = {
    ...fields,
    purchaseOrder: purchaseOrder.trim() || null,
    purchaseOrderDate: purchaseOrderDate || null,
  };
  if (isAbroad(fields)) return { ...given, gstin: null, sez: false, stateCode: otherCountriesCode };
  return { ...given, gstin: gstin === '' ? null : gstin, sez: fields.sez && gstin !== '' };
}

/** Faults beyond the contract's schema: letters that documents can't show, the GSTIN, and a PIN that lies in another State. */
export function faultsBeyondSchema(fields: ProfileFields): Partial<Record<keyof Profile, string>> {
  return { ...letterFaultsOf(fields), ...gstinFaultOf(fields), ...pinFaultOf(fields) };
}

function letterFaultsOf(fields: ProfileFields): Partial<Record<keyof Profile, string>> {
  return Object.fromEntries(
    printedFields.flatMap((field) => {
      const character = unprintableIn(withoutHidden(fields[field]));
      return character === undefined ? [] : [[field, accountTexts.unprintable(namedCharacter(character))]];
    }),
  );
}

function pinFaultOf(fields: ProfileFields): { pin?: string } {
  const pin = fields.pin.trim();
  const state = currentPlaceOfSupply(fields.stateCode);
  const others = isAbroad(fields) ? undefined : otherStatesOfPin(pin, fields.stateCode);
  if (!others || !state) return {};
  const { pinElsewhere, pinNotOfGstin } = accountTexts;
  const text = stateOfTyped(fields.gstin) === undefined ? pinElsewhere : pinNotOfGstin;
  return { pin: text(pin, others.map(({ name }) => name).join(' / '), state.name) };
}

/** The fault of the GSTIN beyond its format, which the schema checks. It may be empty. */
function gstinFaultOf(fields: ProfileFields): { gstin?: string } {
  if (isAbroad(fields) || fields.gstin.trim() === '') return {};
  const result = parseGstin(fields.gstin);
  const fault = result.valid ? undefined : result.faults[0];
  return fault === undefined ? {} : { gstin: gstinFaultText(fault) };
}

function gstinFaultText(fault: GstinFault): string {
  const { gstinFaults } = accountTexts;
  if (fault.code === 'length') return gstinFaults.length(fault.length);
  if (fault.code === 'characters') return gstinFaults.characters(fault.positions.join(', '));
  if (fault.code === 'state') return gstinFaults.state(fault.stateCode);
  if (fault.code === 'shape') return gstinFaults.shape(fault.position);
  if (fault.code === 'check_character') return gstinFaults.check_character(fault.expected, fault.actual);
  return gstinFaults[fault.code];
}

/**
 * The State of a valid GSTIN, under the code that applies to supplies today (a number of a merged territory still has
 * the old one). Undefined when the number is not valid, or names no place of supply.
 */
export function stateOfTyped(gstin: string): { code: string; name: string } | undefined {
  const result = parseGstin(gstin);
  return result.valid ? currentPlaceOfSupply(result.stateCode) : undefined;
}
