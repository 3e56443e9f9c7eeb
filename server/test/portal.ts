import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { request } from 'undici';
import { z } from 'zod';
import { readCatalog } from '#catalog/catalog-files.ts';
import { createSignInNonce, type Profile, signIn, updateProfile } from '#shared/contract/account.ts';
import type { Call, CallInput, CallReply } from '#shared/contract/call.ts';
import { createOrder, verifyPayment } from '#shared/contract/payments.ts';
import { connect } from '#shared/database/connect.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { placeIn } from '#shared/domain/test-place.ts';
import type { Renderer } from '#shared/paper/renderer.ts';
import { testRenderer } from '#shared/paper/test-renderer.ts';
import { createLog } from '#shared/platform/log.ts';
import { patientPool } from '#shared/platform/test-patience.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { startStandins } from '#ship/standins/standins.ts';
import { buildApp } from '#server/app.ts';
import { readPortalSettings } from '#server/config.ts';
import { openPortalLog } from '#server/features/request-log/request-log.ts';
import { startDueWork } from '#server/features/payments/due-work.ts';
import { startLedgerChecks } from '#server/ledger-checks.ts';
import { documentFilesFor } from '#server/document-files/health.ts';
import { createIdTokenVerifier } from '#server/auth/google.ts';
import { backendPath } from '#server/http/app.ts';
import { openJobs } from '#server/jobs/jobs.ts';
import type { Mailer } from '#server/smtp/mailer.ts';
import { createOutbound } from '#server/outbound/outbound.ts';
import { createRazorpay } from '#server/razorpay/razorpay.ts';
import type { DocumentSigner } from '#server/signature/document-signer.ts';
import type { Portal } from '#server/portal.ts';
import { startRoundWorkers } from '#server/start-rounds.ts';
import { holdPort, listenOn } from './ports.ts';
import { subscribers } from '#server/subscribers.ts';

const clientId = 'octroi-local.apps.googleusercontent.com';
const keyId = 'rzp_test_LOCAL000000001';
const keySecret = 'rzp_sandbox_secret_0000';
export const webhookSecret = 'whsec_local_1';

/** The business profile of test customers. */
export const sampleProfile: Profile = {
  legalName: 'Kaveri Traders',
  phone: '+919876543210',
  gstin: null,
  address: '14 Residency Road',
  ...placeIn('29'),
};

/** A letter that supports a claim about tax, in base64. */
export const sampleLetter = Buffer.from('%PDF-1.7\n% Letter of approval').toString('base64');

/** What Razorpay's checkout gives to the page. */
const checkoutResult = z.object({ razorpay_payment_id: z.string(), razorpay_signature: z.string() });

export interface TestResponse {
  status: number;
  // The test that made the call checks the body.
  body: unknown;
  text: string;
}

/**
 * A whole portal for tests: real PostgreSQL, real HTTP, stand-ins for Google and Razorpay, and a clock that the
 * test moves. Close it in afterAll.
 */
export async function startTestPortal(
  options: {
    jobs?: boolean;
    /** Runs the jobs for PDFs, mails and rounds in the background; else they run when a test asks for them. */
    rounds?: boolean;
    catalogDir?: string;
    env?: Record<string, string>;
    eInvoices?: Portal['eInvoices'];
    taxpayers?: Portal['taxpayers'];
    mailer?: Mailer;
    renderer?: Renderer;
    signer?: DocumentSigner;
  } = {},
) {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'octroi-portal-'));
  // The stand-in needs the portal's address before the portal listens: hold a free port until then.
  const { port, free } = await holdPort();
  const standins = await startStandins({
    dataDir,
    google: { port: 0, clientId, issuer: 'https://accounts.google.com' },
    gstn: null,
    razorpay: {
      port: 0,
      keyId,
      keySecret,
      webhookSecret,
      webhookUrl: `http://127.0.0.1:${port}${backendPath}/webhooks/razorpay`,
    },
  });
  const settings = readPortalSettings({
    env: {
      DATABASE_URL: database.databaseUrl,
      CATALOG_DIR: options.catalogDir ?? projectFolder('ship', 'standins', 'catalog'),
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_JWKS_URL: `${standins.googleUrl}/oauth2/v3/certs`,
      GOOGLE_SCRIPT_URL: `${standins.googleUrl}/gsi/client`,
      RAZORPAY_KEY_ID: keyId,
      RAZORPAY_KEY_SECRET: keySecret,
      RAZORPAY_WEBHOOK_SECRET: webhookSecret,
      RAZORPAY_API_URL: `${standins.razorpayUrl}/v1`,
      BANK_TRANSFERS: 'yes',
      RAZORPAY_CHECKOUT_URL: `${standins.razorpayUrl}/v1/checkout.js`,
      PORTAL_PORT: String(port),
      PORTAL_URL: `http://127.0.0.1:${port}`,
      SIGN_INS_PER_MINUTE: '100000',
      ...options.env,
    },
  });
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
  const log = createLog('portal', { level: 'info', destination });
  const connection = connect(settings.databaseUrl, {
    ...patientPool,
    applicationName: 'octroi test portal',
    maxConnections: 20,
  });
  const views = connect(settings.databaseUrl, { ...patientPool, applicationName: 'octroi test views', readOnly: true });
  const jobs = await openJobs(connection.db, log, { onlySends: options.jobs === false && options.rounds !== true });
  let offsetMs = 0;
  const requestLog = await openPortalLog(settings, connection.db, 'octroi test portal', () => Date.now() + offsetMs);
  const portal: Portal = {
    settings,
    db: connection.db,
    viewDb: settings.operatorSeeAs ? views.db : undefined,
    catalog: readCatalog(settings.catalogDir),
    log,
    requestLog,
    jobs,
    ...documentFilesFor(settings, { db: connection.db, log, now: () => Date.now() }),
    renderer: options.renderer ?? testRenderer(),
    signer: options.signer,
    clock: () => Date.now() + offsetMs,
    movedClock: { offsetMs: () => offsetMs, moveTo: async (next) => void (offsetMs = next) },
    machineClock: () => Date.now(),
    startedAt: Date.now(),
    verifyIdToken: createIdTokenVerifier({
      jwksUrl: settings.googleJwksUrl,
      issuers: settings.googleIssuers.split(','),
      clientId,
      machineClock: () => Date.now(),
    }),
    razorpay: createRazorpay({ apiUrl: settings.razorpayApiUrl, keyId, keySecret, timeoutMs: 10_000 }),
    eInvoices: options.eInvoices,
    taxpayers: options.taxpayers,
    mailer: options.mailer,
    outbound: createOutbound({ toLoopback: true, timeoutMs: 10_000 }),
    subscribers,
    linkSecret: Buffer.alloc(32, 7),
  };
  const working = options.jobs === false ? [] : [startDueWork(portal), await startLedgerChecks(portal)];
  const rounds = options.rounds === true ? await startRoundWorkers(portal) : undefined;
  const app = await buildApp(portal);
  await free();
  await listenOn(app, port);
  const { portalUrl } = settings;

  const send = async <C extends Call>(call: C, input: CallInput<C>, token?: string): Promise<TestResponse> => {
    const { params = {}, query, body } = parts(input);
    const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const search = query ? `?${new URLSearchParams(query).toString()}` : '';
    const { statusCode, body: reply } = await request(`${portalUrl}${backendPath}${path}${search}`, {
      method: call.method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return { status: statusCode, text, body: text === '' ? undefined : JSON.parse(text) };
  };

  /** The response of a call that must succeed, typed by the contract; throws when it was refused. */
  const ask = async <C extends Call>(call: C, input: CallInput<C>, token?: string) => {
    const response = await send(call, input, token);
    if (response.status !== 200) throw new Error(`${call.name} responded with ${response.status}: ${response.text}`);
    return parseReply(call, response.body);
  };

  const idToken = async (details: Record<string, unknown>): Promise<string> => {
    const response = await fetch(`${standins.googleUrl}/standin/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId, ...details }),
    });
    return z.object({ credential: z.string() }).parse(await response.json()).credential;
  };

  let people = 0;
  /** A new customer with a session, and a business profile unless `null`. */
  const newCustomer = async (profile: Profile | null = sampleProfile): Promise<string> => {
    people += 1;
    const { nonce } = await ask(createSignInNonce, {});
    const claims = {
      sub: `person-${people}`,
      email: `p${people}@example.com`,
      email_verified: true,
      name: `Person ${people}`,
      given_name: 'Person',
      family_name: String(people),
      picture: '',
    };
    const { accessToken } = await ask(signIn, { body: { googleIdToken: await idToken({ claims, nonce }) } });
    if (profile) await ask(updateProfile, { body: profile }, accessToken);
    return accessToken;
  };

  const standin = async (method: 'POST' | 'PUT', path: string, body: object): Promise<Record<string, unknown>> => {
    const { body: reply } = await request(`${standins.razorpayUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const parsed: unknown = await reply.json();
    if (!isRecord(parsed)) throw new Error(`${path} responded with ${JSON.stringify(parsed)}`);
    return parsed;
  };

  const pay = (orderId: string, how: object = { method: 'card' }): Promise<Record<string, unknown>> =>
    standin('POST', '/standin/pay', { order_id: orderId, ...how });

  const checkOut = async (orderId: string) => {
    const paid = checkoutResult.parse(await pay(orderId));
    return { orderId, paymentId: paid.razorpay_payment_id, signature: paid.razorpay_signature };
  };

  const buy = async (token: string, id: string): Promise<{ paymentId: string; status: string }> => {
    const { orderId } = await ask(createOrder, { params: { id } }, token);
    const body = await checkOut(orderId);
    return { paymentId: body.paymentId, status: (await ask(verifyPayment, { body }, token)).status };
  };

  return {
    portal,
    /** The owner of its tables: plants what the portal's own user has no right to write. */
    owner: database.owner,
    app,
    portalUrl,
    send,
    ask,
    idToken,
    newCustomer,
    logLines: lines,
    /** Makes a payment at the stand-in, as a customer would in the checkout; it may fail. */
    pay,
    /** A payment by card that succeeds: returns what the page then sends with `verifyPayment`. */
    checkOut,
    /** Orders a cycle or pack, pays for it and reports the payment, as the page does. */
    buy,
    behave: (behaviour: object) => standin('PUT', '/standin/behaviour', behaviour),
    standin,
    moveClock: (ms: number) => void (offsetMs += ms),
    close: async () => {
      await app.close();
      for (const worker of working) await worker.stop();
      await rounds?.stop();
      await jobs.stop();
      await standins.close();
      for (const { close } of [requestLog, connection, views]) await close();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
      const refused = lines.filter((line) => line.includes('permission denied'));
      if (refused.length > 0) throw new Error(`octroi_run lacks a right: ${refused.join('\n')}`);
    },
  };
}

export type TestPortal = Awaited<ReturnType<typeof startTestPortal>>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function parts(input: object): { params?: Record<string, unknown>; query?: Record<string, string>; body?: unknown } {
  const params = 'params' in input && isRecord(input.params) ? input.params : {};
  const query = 'query' in input && isRecord(input.query) ? input.query : undefined;
  return {
    params,
    ...(query && { query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])) }),
    ...('body' in input ? { body: input.body } : {}),
  };
}

function parseReply<C extends Call>(call: C, body: unknown): CallReply<C> {
  return z.parse<C['reply']>(call.reply, body);
}
