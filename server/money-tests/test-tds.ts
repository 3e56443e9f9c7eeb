import { declareTds as declare } from '#shared/contract/tds.ts';
import { dayOf } from '#shared/domain/day.ts';
import { rupees } from '#shared/domain/money.ts';
import { quarterOf } from '#shared/domain/tds.ts';
import { sampleLetter, sampleProfile } from '#server/test/portal.ts';
import type { Money, TestCustomer } from './test-money.ts';

/** A customer that can deduct tax at source. */
export const businessProfile = { ...sampleProfile, gstin: '29ZZZCA0001A1Z0' };

/** What a customer sends to declare tax deducted at source. */
export function tdsInput(money: Money, billingCycleId: string, amountPaise: number) {
  const about = { tan: 'MUMA12345B', name: 'form-16a.pdf', certificate: sampleLetter };
  const quarter = quarterOf(dayOf(money.portal.clock()));
  return { params: { billingCycleId }, body: { ...about, quarter, amount: rupees(amountPaise) } };
}

/** Declares tax deducted at source; returns the claim's id. */
export async function declareTds(
  money: Money,
  customer: TestCustomer,
  cycleId: string,
  amountPaise: number,
): Promise<string> {
  const { claim } = await money.ask(declare, tdsInput(money, cycleId, amountPaise), customer.token);
  if (claim === null) throw new Error('nothing was declared');
  return claim.id;
}
