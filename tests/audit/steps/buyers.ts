import type { Buyer } from '#tests/audit/sums/scenario.ts';

/** Buyers of a supplier in Maharashtra (27) that taxes its service at 18 %. */
const at18 = { ratePercent: 18 } as const;
const bengaluru = { stateCode: '29', city: 'Bengaluru', pin: '560025' };
const mumbai = { stateCode: '27', city: 'Mumbai', pin: '400001' };
const singapore = { stateCode: '96', country: 'SG', city: 'Singapore', pin: '018956' };

export const consumerHere: Buyer = {
  profile: mumbai,
  supply: { ...at18, type: 'B2C', levy: 'CENTRE_AND_STATE', place: '27' },
};
export const consumerElsewhere: Buyer = {
  profile: bengaluru,
  supply: { ...at18, type: 'B2C', levy: 'INTEGRATED', place: '29' },
};
export const consumerInDelhi: Buyer = {
  profile: { stateCode: '07', city: 'New Delhi', pin: '110001' },
  supply: { ...at18, type: 'B2C', levy: 'INTEGRATED', place: '07' },
};
export const businessHere: Buyer = {
  profile: { ...mumbai, gstin: '27ZZZPA0002B1ZA', city: 'Pune', pin: '411001' },
  supply: { ...at18, type: 'B2B', levy: 'CENTRE_AND_STATE', place: '27' },
};
export const businessElsewhere: Buyer = {
  profile: { ...bengaluru, gstin: '29ZZZCA0001A1Z0', pin: '560001' },
  supply: { ...at18, type: 'B2B', levy: 'INTEGRATED', place: '29' },
};
/** A body of the United Nations, with a Unique Identity Number: reported like a business, and refunded by the government. */
export const unitedNations: Buyer = {
  profile: { ...bengaluru, gstin: '2917UNO00012UNY' },
  supply: { ...at18, type: 'B2B', levy: 'INTEGRATED', place: '29' },
};
/** A unit in a Special Economic Zone: always inter-State, even in the supplier's State (IGST Act s.7(5)). */
export const sezUnit: Buyer = {
  profile: { ...mumbai, gstin: '27ZZZFA0003C2ZR', sez: true, pin: '400096' },
  supply: { ...at18, type: 'SEZWP', levy: 'INTEGRATED', place: '27' },
};
export const abroad: Buyer = {
  profile: singapore,
  supply: { ...at18, type: 'EXPWP', levy: 'INTEGRATED', place: '96' },
};

/** The same buyers of a supplier with a letter of undertaking (IGST Act s.16). */
export const sezUnitUnderLut: Buyer = { ...sezUnit, supply: { ...sezUnit.supply, type: 'SEZWOP', levy: 'NONE' } };
export const abroadUnderLut: Buyer = { ...abroad, supply: { ...abroad.supply, type: 'EXPWOP', levy: 'NONE' } };
export const underLut = { LETTERS_OF_UNDERTAKING: 'AD270326000001A:2026-04-01:2027-03-31' };
