import { invoice, type Supply } from '#tests/audit/sums/papers.ts';
import type { Buyer } from '#tests/audit/sums/scenario.ts';
import { businessHere, consumerElsewhere, consumerHere } from '#tests/audit/steps/buyers.ts';
import type { Scenario } from '#tests/audit/steps/stage.ts';
import { buy, takeFree } from '#tests/audit/steps/steps.ts';

const group = 'Amounts at the edge of rounding';
const from = '2026-12-10';

/** A month of the Growth plan at another price; `charged` is what the customer pays, where that differs. */
const priced = (
  name: string,
  title: string,
  buyer: Buyer,
  price: number,
  { exclusive = false, charged = price } = {},
): Scenario => ({
  name: `amount-${name}`,
  group,
  title,
  from,
  buyer,
  catalog: [
    ['price: 1499\n', `price: ${price}\n`],
    ...(exclusive ? ([['tax: inclusive', 'tax: exclusive']] as const) : []),
  ],
  steps: [buy('growth')],
  expected: { captured: charged, papers: [invoice(from, charged, buyer.supply)], cycles: ['PAID'] },
});

const unionTerritory: Supply = { type: 'B2C', levy: 'CENTRE_AND_STATE', place: '04', ratePercent: 18 };

export const amounts: readonly Scenario[] = [
  priced('one-rupee-halves', 'the smallest payment, ₹1, split into two halves', consumerHere, 1),
  priced('one-rupee-whole', 'the smallest payment, ₹1, with integrated tax', consumerElsewhere, 1),
  priced('round-off-up', 'value and two halves miss ₹999 by a paisa', consumerHere, 999),
  priced('round-off-down', 'value and two halves exceed ₹1,234.57 or miss it by a paisa', businessHere, 1234.57),
  priced('odd-paise', 'a price of ₹777.77 with integrated tax', consumerElsewhere, 777.77),
  priced('exclusive-halves', 'a price of ₹999 to which two halves of tax are added', consumerHere, 999, {
    exclusive: true,
    charged: 1178.82,
  }),
  priced('exclusive-whole', 'a price of ₹1,499 to which integrated tax is added', consumerElsewhere, 1499, {
    exclusive: true,
    charged: 1768.82,
  }),
  priced('one-lakh', 'exactly ₹1,00,000 to a consumer of another State is summed in B2CS', consumerElsewhere, 100_000),
  priced('over-one-lakh', 'a paisa more is reported by itself in B2CL', consumerElsewhere, 100_000.01),
  priced('over-one-lakh-here', 'above ₹1,00,000 in the same State it is still summed in B2CS', consumerHere, 250_000),
  {
    name: 'amount-quarter',
    group,
    title: 'a quarter paid once, with a round-off line',
    from,
    buyer: consumerHere,
    steps: [buy('growth-90')],
    expected: { captured: 4199, papers: [invoice(from, 4199, consumerHere.supply)], cycles: ['PAID'] },
  },
  {
    name: 'amount-union-territory',
    group,
    title: 'a supplier in a Union territory charges CGST and UTGST at home',
    from,
    buyer: { profile: { stateCode: '04', city: 'Chandigarh', pin: '160022' }, supply: unionTerritory },
    settings: { SUPPLIER_GSTIN: '04ZZZCA0001A1ZC' },
    steps: [buy('growth')],
    expected: { captured: 1499, papers: [invoice(from, 1499, unionTerritory)], cycles: ['PAID'] },
  },
  {
    name: 'amount-free',
    group,
    title: 'a free plan leaves no trace in any book',
    from,
    buyer: consumerHere,
    steps: [takeFree('free')],
    expected: { captured: 0, papers: [], cycles: [] },
  },
  {
    name: 'amount-free-then-paid',
    group,
    title: 'a free plan now, and a paid one today in its place, which starts after it',
    from,
    buyer: consumerHere,
    steps: [takeFree('free', 40), buy('starter')],
    expected: { captured: 499, papers: [invoice(from, 499, consumerHere.supply)], cycles: ['PAID'] },
  },
];
