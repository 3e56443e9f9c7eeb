import { countRows, databaseTime, later } from '#shared/database/expressions.ts';
import type { Db } from '#shared/database/connect.ts';
import { ceilingOf } from '#shared/domain/mandate.ts';
import { dayOf } from '#shared/domain/day.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { type Check, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';
import { createRazorpay, ProviderRefusal } from '#server/razorpay/razorpay.ts';
import { tokenEvents } from '#server/razorpay/webhook-events.ts';

/** The smallest order that Razorpay takes. */
const leastPaise = 100;
const dayMs = 86_400_000;
const lookBackDays = 30;

export const razorpayRenewals: Check = {
  name: 'razorpay-renewals',
  about:
    'does Razorpay take an order with the consent to renew, and do its events of mandates arrive? The order of ₹1 is never paid; by a timer it is made once a day',
  examine: async (installation) => {
    const { portal, db } = installation;
    if (portal.renewals === false) return [await suspended(db)];
    return [await askWithConsent(installation), ...(db === undefined ? [] : [await arrivedEvents(db)])];
  },
};

async function suspended(db: Db | undefined): Promise<Finding> {
  const given = await db
    ?.selectFrom('mandates')
    .select(countRows().as('count'))
    .where('state', 'in', ['IN_FORCE', 'PAUSED'])
    .executeTakeFirstOrThrow();
  if (given === undefined || given.count === 0) return fine('RENEWALS is no: no plan renews, and nobody expects it.');
  return warning(
    `RENEWALS is no, and ${given.count} mandates of customers are in force.`,
    'Nothing is debited: their plans end, unless they pay by hand. Each customer is told.',
    'Set RENEWALS=yes and restart the portals, as soon as plans may renew again.',
  );
}

/** An order as for a payment with the tick “Renew automatically”. */
async function askWithConsent({ portal, isTimed, now }: Installation): Promise<Finding> {
  const { razorpayApiUrl: apiUrl, razorpayKeyId: keyId, razorpayKeySecret: keySecret } = portal;
  const { supportEmail: email, supportPhone = '' } = portal;
  if (!apiUrl || !keyId || !keySecret || !email) return unchecked('A setting is missing or not valid.');
  const razorpay = createRazorpay({ apiUrl, keyId, keySecret });
  const receipt = `octroi-doctor-${dayOf(now())}`;
  const takes = fine('Razorpay takes orders with the consent to renew.');
  try {
    if (isTimed && (await razorpay.findOrder(receipt))) return takes;
    // As Razorpay takes it: at most 15 characters.
    const contact = supportPhone.replaceAll(/[^+\d]/g, '').slice(0, 15);
    const { id: customerId } = await razorpay.createCustomer({ name: 'Octroi doctor', email, contact });
    const expiresAt = Math.floor((now() + 365 * dayMs) / 1000);
    const mandate = {
      customerId,
      method: 'upi' as const,
      ceilingPaise: ceilingOf(leastPaise, false) ?? leastPaise,
      expiresAt,
    };
    await razorpay.createOrder({ amountPaise: leastPaise, receipt, notes: {}, mandate });
    return takes;
  } catch (error) {
    if (!(error instanceof ProviderRefusal))
      return unchecked(`Razorpay was not asked whether plans may renew: ${reasonOf(error)}.`);
    return warning(
      `Razorpay refuses an order with the consent to renew: ${error.description} (400).`,
      'Customers who tick “Renew automatically” pay without it, and their plans end.',
      'Ask Razorpay’s support to switch on recurring payments by UPI for the account; until then set RENEWALS=no and restart the portals.',
    );
  }
}

/** Razorpay’s API doesn’t tell which events are ticked. */
async function arrivedEvents(db: Db): Promise<Finding> {
  const since = later(databaseTime, -lookBackDays * dayMs);
  const { given } = await db
    .selectFrom('mandates')
    .select(countRows().as('given'))
    .where('confirmed_at', '>', since)
    .executeTakeFirstOrThrow();
  const { arrived } = await db
    .selectFrom('webhook_inbox')
    .select(countRows().as('arrived'))
    .where('event', 'in', tokenEvents)
    .where('received_at', '>', since)
    .executeTakeFirstOrThrow();
  if (given > 0 && arrived === 0)
    return warning(
      `In ${lookBackDays} days ${given} mandates came into force, and no event of one arrived.`,
      'What customers end or pause in their UPI app is found only before the next notice or debit.',
      `On Razorpay’s dashboard (Account & Settings, Webhooks) tick ${tokenEvents.join(', ')}.`,
    );
  return fine(`In ${lookBackDays} days ${arrived} events of mandates arrived for ${given} that came into force.`);
}
