import { invoice } from '#tests/audit/sums/papers.ts';
import type { Buyer } from '#tests/audit/sums/scenario.ts';
import {
  abroad,
  abroadUnderLut,
  businessElsewhere,
  businessHere,
  consumerElsewhere,
  consumerHere,
  sezUnit,
  sezUnitUnderLut,
  underLut,
  unitedNations,
} from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { buy } from '#tests/audit/steps/steps.ts';

const group = 'A single sale to each kind of buyer';
const from = '2026-12-10';

/** One month of the Growth plan. */
const sale = (name: string, title: string, buyer: Buyer, settings: Record<string, string> = {}): Scenario => ({
  name: `sale-${name}`,
  group,
  title,
  from,
  buyer,
  settings,
  steps: [buy('growth')],
  expected: { captured: 1499, papers: [invoice(from, 1499, buyer.supply)], cycles: ['PAID'] },
});

export const singleSales: readonly Scenario[] = [
  sale('consumer-same-state', 'a consumer in the supplier’s State pays CGST and SGST', consumerHere),
  sale('consumer-other-state', 'a consumer in another State pays IGST', consumerElsewhere),
  sale('business-same-state', 'a registered business in the supplier’s State', businessHere),
  sale('business-other-state', 'a registered business in another State', businessElsewhere),
  sale('uin', 'a United Nations body with a Unique Identity Number', unitedNations),
  sale('sez-with-payment', 'an SEZ unit, without a letter of undertaking', sezUnit),
  sale('sez-under-lut', 'an SEZ unit, under a letter of undertaking', sezUnitUnderLut, underLut),
  sale('export-with-payment', 'a buyer abroad, without a letter of undertaking', abroad),
  sale('export-under-lut', 'a buyer abroad, under a letter of undertaking', abroadUnderLut, underLut),
];
