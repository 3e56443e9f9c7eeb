import { daysAfter } from '#tests/audit/sums/arithmetic.ts';
import { amended, commercialNote, invoice, note, type Paper } from '#tests/audit/sums/papers.ts';
import type { Buyer } from '#tests/audit/sums/scenario.ts';
import {
  businessElsewhere,
  businessHere,
  consumerElsewhere,
  consumerHere,
  consumerInDelhi,
} from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import {
  become,
  buy,
  correct,
  days,
  dispute,
  disputeIs,
  refundAtRazorpay,
  refused,
  settled,
} from '#tests/audit/steps/steps.ts';

const group = 'Corrections and credit notes';
const from = '2026-12-10';
const base = { group, from, buyer: consumerElsewhere };
const sold = (papers: Paper[], status = 'PAID') => ({ captured: 1499, papers, cycles: [status] });
const to = (buyer: Buyer, on = from) => invoice(on, 1499, buyer.supply);
const businessInDelhi: Buyer = {
  profile: { gstin: '07ZZZCA0001A1Z6', stateCode: '07', city: 'New Delhi', pin: '110001' },
  supply: { ...businessElsewhere.supply, place: '07' },
};
const renamed: Buyer = { ...businessElsewhere, profile: { ...businessElsewhere.profile, legalName: 'Kaveri LLP' } };
/** Corrected on the day of a correction: a credit note for the old invoice, and a new one. */
const corrected = (old: Paper, buyer: Buyer, on: string): Paper[] => [note(old, on), to(buyer, on)];

/** Razorpay refunds payments of up to six months alone; a bank may take money back later. */
const lostDispute = [dispute(1000), settled, disputeIs('lost')];

export const corrections: readonly Scenario[] = [
  {
    ...base,
    name: 'correct-to-business',
    title: 'a consumer turns out to be a business: credit note and new invoice',
    steps: [buy('growth'), become(businessElsewhere), correct],
    expected: sold([to(consumerElsewhere), ...corrected(to(consumerElsewhere), businessElsewhere, from)]),
  },
  {
    ...base,
    name: 'correct-state-next-month',
    title: 'the buyer’s State is corrected in the next month: integrated tax becomes two halves',
    steps: [buy('growth'), days(25), become(consumerHere), correct],
    expected: sold([to(consumerElsewhere), ...corrected(to(consumerElsewhere), consumerHere, daysAfter(from, 25))]),
  },
  {
    ...base,
    name: 'amend-name',
    title: 'only the name of a business was wrong: the invoice is amended, and no return mentions it',
    buyer: businessElsewhere,
    steps: [buy('growth'), days(25), become(renamed), correct],
    expected: sold([to(businessElsewhere)]),
  },
  {
    ...base,
    name: 'amend-gstin',
    title: 'the GSTIN of a business is amended in the next month: table 9A, and no other total changes',
    buyer: businessElsewhere,
    steps: [buy('growth'), days(25), become(businessInDelhi), correct],
    expected: sold([amended(to(businessElsewhere), daysAfter(from, 25))]),
  },
  {
    ...base,
    name: 'amend-gstin-same-month',
    title: 'the GSTIN of a business is amended before its month is reported: no table 9A',
    buyer: businessElsewhere,
    steps: [buy('growth'), become(businessInDelhi), correct],
    expected: sold([to(businessElsewhere)]),
  },
  {
    ...base,
    name: 'correct-nothing',
    title: 'nothing to correct is refused, and leaves no trace',
    steps: [buy('growth'), refused('nothing_to_correct', correct)],
    expected: sold([to(consumerElsewhere)]),
  },
  {
    ...base,
    name: 'correct-three-times',
    title: 'three corrections are accepted, the fourth is refused',
    steps: [
      buy('growth'),
      become(businessElsewhere),
      correct,
      become(consumerHere),
      correct,
      become(businessHere),
      correct,
      become(consumerInDelhi),
      refused('corrected_too_often', correct),
    ],
    expected: sold([
      to(consumerElsewhere),
      ...corrected(to(consumerElsewhere), businessElsewhere, from),
      ...corrected(to(businessElsewhere), consumerHere, from),
      ...corrected(to(consumerHere), businessHere, from),
    ]),
  },
  {
    ...base,
    name: 'correct-then-refund',
    title: 'a corrected invoice is refunded in part: the note follows the new invoice',
    steps: [buy('growth'), become(businessHere), correct, settled, refundAtRazorpay(499)],
    expected: {
      ...sold([
        to(consumerElsewhere),
        ...corrected(to(consumerElsewhere), businessHere, from),
        note(to(businessHere), from, 499),
      ]),
      refunded: 499,
    },
  },
  {
    ...base,
    name: 'note-on-last-day',
    title: 'on 31 October after the financial year a credit note still reduces tax',
    steps: [buy('growth'), days(325), ...lostDispute],
    expected: {
      ...sold([to(consumerElsewhere), note(to(consumerElsewhere), '2027-10-31', 1000)], 'EXPIRED'),
      refunded: 1000,
    },
  },
  {
    ...base,
    name: 'note-a-day-late',
    title: 'from 1 November a credit note is commercial: no return mentions its tax',
    steps: [
      buy('growth'),
      days(326),
      become(businessElsewhere),
      refused('too_late_to_correct', correct),
      ...lostDispute,
    ],
    expected: {
      ...sold([to(consumerElsewhere), commercialNote(to(consumerElsewhere), '2027-11-01', 1000)], 'EXPIRED'),
      refunded: 1000,
    },
  },
];
