import { z } from 'zod';
import { countRows, databaseTime, later } from '#shared/database/expressions.ts';
import { type Check, fault, fine, type Finding, unchecked } from '#doctor/finding.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { ask, jsonOf } from '#doctor/replies.ts';
import { hmacHex } from '#server/crypto/same-bytes.ts';
import { doctorsQuestion, paymentEvents } from '#server/razorpay/webhook-events.ts';

const refusal = z.object({ error: z.object({ description: z.string() }) });

export const razorpayKeys: Check = {
  name: 'razorpay-keys',
  about:
    'does Razorpay take an order with these keys, and are they of the right mode? The order of ₹1 is never paid; by a timer it is made once a day',
  examine: async ({ portal, isProduction, isTimed, now }) => {
    const { razorpayApiUrl, razorpayKeyId, razorpayKeySecret } = portal;
    if (razorpayApiUrl === undefined || razorpayKeyId === undefined || razorpayKeySecret === undefined)
      return [unchecked('A setting is missing or not valid.')];
    const findings: Finding[] = [];
    if (razorpayKeyId.startsWith('rzp_live_') !== isProduction && /^rzp_(?:live|test)_/.test(razorpayKeyId))
      findings.push(
        isProduction
          ? fault(
              'RAZORPAY_KEY_ID is a test key.',
              'Customers get plans, and no money moves.',
              'Use the key of live mode: Razorpay’s dashboard, Account & Settings, API keys.',
            )
          : fault(
              'RAZORPAY_KEY_ID is a live key, and NODE_ENV is not production.',
              'A trial takes real money.',
              'Use a test key, or set NODE_ENV=production.',
            ),
      );
    const since = isTimed ? now() - dayMs : undefined;
    findings.push(await askWith(razorpayApiUrl, { keyId: razorpayKeyId, secret: razorpayKeySecret }, since));
    return findings;
  },
};

/** The smallest order that Razorpay takes. */
const leastPaise = 100;

const receipt = 'octroi-doctor';
const dayMs = 86_400_000;
const orders = z.object({ items: z.array(z.unknown()) });

/**
 * Keys that may read orders need not be allowed to make them, and an account that is not activated may read: an order is made, unless one was
 * since `since`.
 */
async function askWith(
  apiUrl: string,
  { keyId, secret }: { keyId: string; secret: string },
  since: number | undefined,
): Promise<Finding> {
  const authorization = `Basic ${Buffer.from(`${keyId}:${secret}`).toString('base64')}`;
  try {
    if (since !== undefined) {
      const query = new URLSearchParams({ receipt, from: String(Math.floor(since / 1000)), count: '1' });
      const made = await ask(`${apiUrl}/orders?${query.toString()}`, { headers: { authorization } });
      const isMade = made.ok && (orders.safeParse(await jsonOf(made)).data?.items ?? []).length > 0;
      if (isMade) return fine('Razorpay knows these keys, and took an order in the last day.');
    }
    const response = await ask(`${apiUrl}/orders`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ amount: leastPaise, currency: 'INR', receipt }),
    });
    if (response.ok) return fine('Razorpay takes orders with these keys.');
    const described = refusal.safeParse(await jsonOf(response)).data?.error.description ?? 'without a reason';
    // Both statuses are documented for wrong keys; the second one also comes while the account may not take payments.
    if (response.status === 401 || response.status === 400)
      return fault(
        `Razorpay refuses RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET: ${described} (${response.status}).`,
        'Nobody can pay, and refunds wait.',
        'Make a new pair on Razorpay’s dashboard (Account & Settings, API keys), set both, and restart the portals; or complete the activation of the account there.',
      );
    return fault(
      `Razorpay responds with ${response.status}: ${described}.`,
      'Nobody can pay at the moment.',
      'Look at https://status.razorpay.com, and run this again.',
    );
  } catch (error) {
    return fault(
      `Razorpay cannot be reached at ${apiUrl}: ${reasonOf(error)}.`,
      'Nobody can pay, and payments are settled late.',
      'Let the portal connect to api.razorpay.com on port 443, and leave RAZORPAY_API_URL unset.',
    );
  }
}

const lookBackDays = 7;

export const razorpayWebhook: Check = {
  name: 'razorpay-webhook',
  about: 'is the webhook’s secret that of the running portal, and do Razorpay’s webhooks arrive?',
  examine: async ({ portal: { portalUrl, razorpayWebhookSecret }, db }) => {
    if (portalUrl === undefined || razorpayWebhookSecret === undefined)
      return [unchecked('A setting is missing or not valid.')];
    const address = `${portalUrl}/backend/webhooks/razorpay`;
    const findings: Finding[] = [];
    const status = await statusOfProbe(address, razorpayWebhookSecret.split(',')[0] ?? '');
    if (status === 401)
      findings.push(
        fault(
          'The running portal has another RAZORPAY_WEBHOOK_SECRET than these settings.',
          'It refuses webhooks that are signed with this one.',
          'Restart the portals after a change of the secret; during the change, set both, separated by a comma.',
        ),
      );
    else if (status !== 200)
      findings.push(
        unchecked(`The portal did not take a webhook at ${address}${status === undefined ? '' : `: ${status}`}.`),
      );
    if (db !== undefined) {
      const since = later(databaseTime, -lookBackDays * 86_400_000);
      const { paid } = await db
        .selectFrom('payments')
        .select(countRows().as('paid'))
        .where('captured_at', '>', since)
        .executeTakeFirstOrThrow();
      const { arrived } = await db
        .selectFrom('webhook_inbox')
        .select(countRows().as('arrived'))
        .where('event', 'in', paymentEvents)
        .where('received_at', '>', since)
        .executeTakeFirstOrThrow();
      if (paid > 0 && arrived === 0)
        findings.push(
          fault(
            `In ${lookBackDays} days ${paid} payments were captured, and no webhook about one was accepted.`,
            'Payments are found by polling only, and refunds and disputes made at Razorpay up to a minute late.',
            `On Razorpay’s dashboard (Account & Settings, Webhooks) compare the address with ${address}, and set the secret again here and there: its signatures are refused, or it was disabled after a day of failures.`,
          ),
        );
      else
        findings.push(
          fine(`In ${lookBackDays} days ${arrived} webhooks about payments arrived for ${paid} captured ones.`),
        );
    }
    return findings;
  },
};

async function statusOfProbe(address: string, secret: string): Promise<number | undefined> {
  const body = Buffer.from(doctorsQuestion);
  const headers = { 'content-type': 'application/json', 'x-razorpay-signature': hmacHex(secret, body) };
  return ask(address, { method: 'POST', headers, body }).then(
    (response) => response.status,
    () => undefined,
  );
}
