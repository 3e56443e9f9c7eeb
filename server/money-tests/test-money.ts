import { createHmac, randomBytes } from 'node:crypto';
import { request } from 'undici';
import { vi } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { type Changes, changedCatalog } from '#catalog/test-catalog.ts';
import { connect } from '#shared/database/connect.ts';
import { checkoutSignature } from '#server/features/payments/verify.ts';
import { buildApp } from '#server/app.ts';
import { handleDueWork } from '#server/features/payments/due-work.ts';
import { claimDueDeliveries, settleDelivery } from '#server/features/payments/webhook.ts';
import { saveProfile } from '#server/features/account/account.ts';
import { transaction } from '#shared/database/transaction.ts';
import { createSession } from '#server/auth/sessions.ts';
import { newId } from '#server/crypto/ids.ts';
import { createRazorpay } from '#server/razorpay/razorpay.ts';
import type { Portal } from '#server/portal.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { patientPool } from '#shared/platform/test-patience.ts';
import { sampleProfile, startTestPortal, webhookSecret } from '#server/test/portal.ts';
import { listenOn } from '#server/test/ports.ts';
import { verifyLedgerOf } from '#server/features/ledger/verify-ledger.ts';

const keySecret = 'rzp_sandbox_secret_0000';
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** A test customer who signed in and entered a profile without going through Google. */
export interface TestCustomer {
  customerId: string;
  token: string;
}

/** What the browser sends after a successful payment. */
export const browserReport = (orderId: string, paymentId: string) => ({
  orderId,
  paymentId,
  signature: checkoutSignature(keySecret, orderId, paymentId),
});

/** The cheapest possible request: thousands of restarts wait for it. */
function isServing(portalUrl: string): Promise<boolean> {
  return request(portalUrl, { method: 'HEAD' }).then(
    ({ body }) => body.dump().then(() => true),
    () => false,
  );
}

const ours = readCatalog(projectFolder('ship', 'standins', 'catalog'));
const packs = '[{ id: extra-100, name: Extra 100, units: 100, price: 49 }]';

/** Our catalogue, with packs for its growth and free plans, and with fields changed in every product. */
function catalogWithPacks(fields: Readonly<Record<string, string>>): Changes {
  const products = ours.products.map(({ id, plans }) => {
    const sellers = plans.filter(({ planId }) => planId === 'growth' || planId === 'free');
    return [
      id,
      { ...Object.fromEntries(sellers.map(({ planId }) => [`plans.${planId}.packs`, packs])), ...fields },
    ] as const;
  });
  return Object.fromEntries(products);
}

const refunding = { onDeactivate: 'refund-unused' };

/** Our catalogue, but running plans refund unused days when they are deactivated (product §4.12). */
export const catalogThatRefunds = (): string => changedCatalog(catalogWithPacks(refunding));

/** Our catalogue, but the rate of GST changes every 37 days for forty years. */
export function catalogOfChangingRates({ refunds }: { refunds: boolean }): string {
  const percents = [18, 5, 28, 12];
  const today = dayOf(Date.now());
  const changes = Array.from({ length: 400 }, (_, index) => ({
    from: addDays(today, 37 * index + 9),
    percent: percents[(index + 1) % 4],
  }));
  const gstRatePercent = JSON.stringify([{ from: '2017-07-01', percent: 18 }, ...changes]);
  return changedCatalog(catalogWithPacks({ gstRatePercent, ...(refunds ? refunding : {}) }));
}

/** The stand-in does nothing by itself, and holds back what is disputed. */
export const quiet = { webhooks: { enabled: false }, settlements: 'none', disputes: 'hold' };

/**
 * A portal for money tests. Nothing runs in the background: the stand-in sends no webhooks and no jobs run, so that the test
 * decides what the portal learns when, and in what order.
 */
export async function startMoney(
  options: { catalogDir?: string; env?: Record<string, string>; eInvoices?: Portal['eInvoices'] } = {},
) {
  const world = await startTestPortal({ jobs: false, ...options });
  await world.behave(quiet);
  const { portal } = world;
  const opened: { close: () => Promise<void> }[] = [];

  const newCustomer = async (profile: typeof sampleProfile | null = sampleProfile): Promise<TestCustomer> => {
    const customerId = newId('CUS');
    const now = new Date();
    const shown = { email: 'kaveri@example.com', name: 'Kaveri', given_name: 'Kaveri', family_name: '', picture: '' };
    const memberId = newId('MEM');
    await transaction(portal.db, async (tx) => {
      await tx
        .insertInto('customers')
        .values({ id: customerId, ...shown, created_at: now })
        .execute();
      const since = { joined_at: now, opened_at: now, removed_at: null };
      await tx
        .insertInto('members')
        .values({
          id: memberId,
          customer_id: customerId,
          google_sub: customerId,
          ...shown,
          ...since,
          domain: null,
          role: 'owner',
        })
        .execute();
    });
    const token = await createSession(portal.db, memberId, portal.machineClock);
    if (profile) await saveProfile(portal, { customerId }, profile);
    return { customerId, token };
  };

  /** Sends a webhook as the provider would, with the payment's current state; returns the status. */
  const deliver = async (event: string, payload: object): Promise<number> => {
    const body = JSON.stringify({
      entity: 'event',
      account_id: 'acc_x',
      event,
      payload,
      nonce: randomBytes(4).toString('hex'),
    });
    const response = await request(`${world.portalUrl}/backend/webhooks/razorpay`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-razorpay-event-id': randomBytes(6).toString('hex'),
        'x-razorpay-signature': createHmac('sha256', webhookSecret).update(body).digest('hex'),
      },
    });
    await response.body.dump();
    return response.statusCode;
  };

  let { app } = world;
  let restarted: Portal | undefined;
  /** Another portal process on the same database: it shares no memory with the first one. */
  const anotherPortal = (more: Partial<Portal> = {}): Portal => {
    const { settings } = portal;
    const connection = connect(settings.databaseUrl, {
      ...patientPool,
      applicationName: 'octroi test portal 2',
      maxConnections: 10,
    });
    opened.push(connection);
    const client = { apiUrl: settings.razorpayApiUrl, keyId: settings.razorpayKeyId, keySecret, timeoutMs: 10_000 };
    return { ...portal, db: connection.db, razorpay: createRazorpay(client), ...more };
  };

  return {
    ...world,
    newCustomer,
    deliver,
    anotherPortal,
    /**
     * Handles everything that is due until nothing is left. With `aheadMs` also what becomes due in that time: each open order is then asked
     * for once, however long that takes; without, a slow machine may ask for the first ones again before it has come to the last.
     */
    work: async (by: Portal = portal, aheadMs = 0): Promise<void> => {
      const until = Date.now() + aheadMs;
      while ((await handleDueWork(by, Math.max(until, Date.now()))) > 0);
    },
    /** Handles the stored deliveries and nothing else. */
    handleWebhooks: async (): Promise<void> => {
      for (;;) {
        const due = await claimDueDeliveries(portal.db, Date.now(), 10);
        if (due.length === 0) return;
        await Promise.all(due.map((key) => settleDelivery(portal, key)));
      }
    },
    /**
     * Stops the serving process and starts another one in its place. It gets other database connections than the first one, but those
     * are kept from one restart to the next: in new connections PostgreSQL would plan everything again, which is slow.
     */
    restart: async (): Promise<void> => {
      await app.close();
      restarted ??= anotherPortal();
      app = await buildApp({ ...restarted });
      await listenOn(app, portal.settings.portalPort);
      // Kept-alive connections for the next call notice that they were closed.
      await Promise.all(
        [1, 2, 3, 4].map(() => vi.waitUntil(() => isServing(world.portalUrl), { timeout: 60_000, interval: 5 })),
      );
    },
    /** All money faults of this database; there must be none. */
    faults: async (): Promise<string[]> => (await verifyLedgerOf(portal.db)).faults,
    close: async () => {
      await app.close();
      await Promise.all(opened.map((connection) => connection.close()));
      await world.close();
    },
  };
}

export type Money = Awaited<ReturnType<typeof startMoney>>;
