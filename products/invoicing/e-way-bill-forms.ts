import { gstinCheckCharacter } from '#shared/domain/gstin.ts';

/** Letters of States on number plates, those of earlier years too (Central Motor Vehicles Rules 1989, rule 50). */
const plates =
  'AN|AP|AR|AS|BR|CG|CH|DD|DL|DN|GA|GJ|HP|HR|JH|JK|KA|KL|LA|LD|MH|ML|MN|MP|MZ|NL|OD|OR|PB|PY|RJ|SK|TG|TN|TR|TS|UA|UK|UP|WB';

/** The forms of vehicle numbers that the portal takes (its master codes), each with an example. */
export const vehicleForms = [
  { form: `(?:${plates})[0-9]{2}(?:[A-Z]{0,3}|[0-9][A-Z])[0-9]{4}`, example: 'MH01AB1234' },
  { form: '[A-Z]{3}[0-9]{4}', example: 'MMX1234' },
  // Defence; temporary registrations; Bhutan and Nepal.
  { form: 'DF[A-Z0-9]{5,13}', example: 'DF12B34567' },
  { form: 'T[MR][A-Z0-9]{5,13}', example: 'TM0126MH1234A' },
  { form: '(?:BP|NP)[A-Z0-9]{5,13}', example: 'BP1A2345' },
] as const;

/** Receipts of the Railways: of a parcel, of freight, of a leased wagon (GSTN advisories of October and December 2024). */
export const railReceiptForms = [
  { form: 'P[A-Z]{1,4}[0-9]{4}-?[0-9]{6}', example: 'PNZM2020-307306' },
  { form: 'F[A-Z]{1,5}[0-9]{9}', example: 'FSJWT123456789' },
  { form: 'L[0-9]{9}', example: 'L123456789' },
] as const;

const patternOf = (forms: readonly { form: string }[]) => `^(?:${forms.map(({ form }) => form).join('|')})$`;

export const vehiclePattern = patternOf(vehicleForms);
export const railReceiptPattern = patternOf(railReceiptForms);
export const transporterPattern = '^[0-9]{2}[A-Z0-9]{13}$';

const vehicle = new RegExp(vehiclePattern);
const railReceipt = new RegExp(railReceiptPattern);
const transporter = new RegExp(transporterPattern);

export const isVehicleNumber = (text: string): boolean => vehicle.test(text);

export const isRailReceipt = (text: string): boolean => railReceipt.test(text) && text.length <= 15;

/** A GSTIN, or a TRANSIN: that of a transporter who is enrolled without a GSTIN, or with one for several States (88). Both end in a check character. */
export const isTransporterId = (text: string): boolean =>
  transporter.test(text) && gstinCheckCharacter(text.slice(0, 14)) === text.charAt(14);
