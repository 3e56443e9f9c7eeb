import { randomBytes } from 'node:crypto';
import { listDocuments } from '#shared/contract/documents.ts';
import { activateService } from '#shared/contract/marketplace.ts';
import { giveProfile, type PortalPlace, signInCustomer } from '#ship/demo/portal-customer.ts';
import { passDays } from './product-clock.ts';

/**
 * A new customer pays a plan, and the clock of the product moves to the next month, which ends the customer's session. The product must be the
 * test's own.
 */
export async function sellInLastMonth(place: PortalPlace) {
  const name = `Asha ${randomBytes(4).toString('hex')}`;
  const person = { claims: { sub: name, name, email: 'asha@example.com' } };
  const customer = await signInCustomer(place, person);
  await giveProfile(customer);
  const body = { serviceId: 'tax-lookup-api', planId: 'starter' };
  const { billingCycleId = '' } = await customer.send(activateService, { body });
  await customer.pay(billingCycleId);
  const [invoice] = (await customer.send(listDocuments, {})).documents;
  if (invoice === undefined) throw new Error('The payment has no invoice.');
  await passDays(place, 32 - Number(invoice.date.slice(8)));
  return { person, invoice };
}
