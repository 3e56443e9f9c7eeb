import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Pool } from 'pg';
import { Agent, request } from 'undici';
import { expect } from 'vitest';
import { connect } from '#shared/database/connect.ts';
import { customersSql } from '#shared/database/test-customers.ts';
import { createTestDatabase, type TestDatabase } from '#shared/database/test-database.ts';
import { keyHint, keyPrefix, makeApiKey } from '#shared/domain/api-key.ts';
import type { StoredStatus } from '#shared/domain/cycle.ts';
import type { CallCost } from '#shared/domain/operation.ts';
import { addDays, dayOf } from '#shared/domain/day.ts';
import { readGatewayConfig } from '#gateway/config.ts';
import { type Gateway, startGateway } from '#gateway/gateway.ts';
import { createLog, type Log } from '#shared/platform/log.ts';
import type { Metrics } from '#shared/platform/metrics.ts';
import { patientGateway } from '#shared/platform/test-patience.ts';
import { type Product, startProduct } from './product.ts';
import { findQuotaMismatches } from './quota-mismatches.ts';
import { catalogFor, type TestCatalogOptions } from './served.ts';

/** Shared by the tests of the gateway: customers with plans, a product, and gateways inside this process. */

export interface PlanTerms {
  daily?: number;
  monthly?: number;
  rps?: number;
  status?: StoredStatus;
  tenure?: 'MONTHLY' | 'TRIAL';
  /** Days from today. */
  from?: number;
  to?: number;
  service?: string;
  /** What operations cost, and which are included. */
  costs?: Record<string, CallCost>;
  operations?: string[];
}

export interface Customer {
  activationId: string;
  cycleId: string;
  keyId: string;
  key: string;
}

const id = (prefix: string): string => `${prefix}-${randomBytes(8).toString('hex')}`;

/** A customer with one activation, one cycle and one key. */
export async function createCustomer(pool: Pool, terms: PlanTerms = {}): Promise<Customer> {
  const customer = id('CUS');
  await pool.query(customersSql(`values ($1, 'a@b.example', 'A', 'A', 'A', '', now())`), [customer]);
  return activate(pool, customer, terms);
}

/** An activation of a customer, with one cycle and one key. */
export async function activate(pool: Pool, customer: string, terms: PlanTerms): Promise<Customer> {
  const activationId = id('ACT');
  await pool.query(`insert into activations (id, customer_id, service_id, created_at) values ($1, $2, $3, now())`, [
    activationId,
    customer,
    terms.service ?? 'tax-lookup-api',
  ]);
  const cycleId = await addCycle(pool, activationId, terms);
  return { activationId, cycleId, ...(await addKey(pool, activationId)) };
}

export async function addCycle(pool: Pool, activationId: string, terms: PlanTerms = {}): Promise<string> {
  const cycleId = id('CYC');
  const today = dayOf(Date.now());
  const status = terms.status ?? 'NO_PAYMENT_REQUIRED';
  await pool.query(
    `insert into cycles (id, activation_id, customer_id, service_id, status, from_date, to_date, plan, tenure, price_paise, daily_quota,
       monthly_quota, rps, created_at, paid_at)
     select $1, id, customer_id, service_id, $3::cycle_status, $4, $5, $6, $10,
       case when $3::text = 'NO_PAYMENT_REQUIRED' then 0 else 49900 end, $7, $8, $9, now(), case when $3::text = 'PAID' then now() end from activations where id = $2`,
    [
      cycleId,
      activationId,
      status,
      addDays(today, terms.from ?? -3),
      addDays(today, terms.to ?? 27),
      JSON.stringify({ planId: 'growth', name: 'Growth', costs: terms.costs, operations: terms.operations }),
      terms.daily ?? 1000,
      terms.monthly ?? 20_000,
      terms.rps ?? 5000,
      terms.tenure ?? 'MONTHLY',
    ],
  );
  return cycleId;
}

export interface KeyTerms {
  test?: boolean;
  /** From now. */
  expiresInMs?: number;
  allowedIps?: string[];
  dailyCap?: number;
  /** A member. */
  madeBy?: string;
}

let keyNames = 0;
/** Two keys of an activation can't have one name. */
const nextKeyName = (): string => (keyNames += 1).toString(36);

export async function addKey(
  pool: Pool,
  activationId: string,
  terms: KeyTerms = {},
): Promise<{ keyId: string; key: string }> {
  const { test = false, expiresInMs, allowedIps = [], dailyCap = null, madeBy = null } = terms;
  const key = makeApiKey(randomBytes(120), test);
  const keyId = id('KEY');
  await pool.query(
    `insert into api_keys (id, activation_id, customer_id, name, key_hash, hint, created_at, test, expires_at, allowed_ips, daily_cap, prefix, made_by)
     select $1, id, customer_id, $3, $4, $5, now(), $6, now() + $7 * interval '1 millisecond', $8, $9, $10, $11 from activations where id = $2`,
    [
      keyId,
      activationId,
      nextKeyName(),
      createHash('sha256').update(key).digest(),
      keyHint(key),
      test,
      expiresInMs ?? null,
      allowedIps,
      dailyCap,
      keyPrefix(key),
      madeBy,
    ],
  );
  return { keyId, key };
}

export interface GatewaySetup {
  databaseUrl: string;
  dataDir: string;
  productUrl: string;
}

export function createTempDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'octroi-gateway-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface TestGatewayOptions extends TestCatalogOptions {
  now?: () => number;
  upstream?: string;
  metrics?: Metrics;
  log?: Log;
}

/** A gateway in this process, on a free port. */
export async function startTestGateway(setup: GatewaySetup, options: TestGatewayOptions = {}): Promise<Gateway> {
  const config = readGatewayConfig({
    env: { DATABASE_URL: setup.databaseUrl, DATA_DIR: setup.dataDir, ...patientGateway, ...options.env },
  });
  const connection = connect(setup.databaseUrl, {
    applicationName: 'test gateway',
    maxConnections: 4,
    onConnectionLost: () => {},
  });
  try {
    const gateway = await startGateway({
      config: { ...config, gatewayPort: 0 },
      connection,
      ...(await catalogFor(connection.db, options, options.upstream ?? setup.productUrl)),
      log: options.log ?? createLog('test', { level: 'fatal' }),
      metrics: options.metrics,
      now: options.now ?? Date.now,
    });
    const close = async (): Promise<void> => {
      await gateway.close();
      await connection.close();
    };
    return { url: gateway.url, close };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A gateway with a real database and a product, and a client for calls. */
export interface Harness {
  database: TestDatabase;
  product: Product;
  gateway: Gateway;
  setup: GatewaySetup;
  agent: Agent;
  call: (key: string, options?: CallOptions) => Promise<TestResponse>;
  close: () => Promise<void>;
}

export interface CallOptions {
  /** After /tax-lookup/v1. */
  path?: string;
  /** Path of another API in the gateway. */
  api?: string;
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: Record<string, string>;
  body?: string | Buffer | Readable;
  /** Address of another gateway; default: the harness's own. */
  url?: string;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  json: unknown;
}

/** `close` throws if the quota taken differs from the calls counted plus the units on lease. */
export async function openHarness(options: Parameters<typeof startTestGateway>[1] = {}): Promise<Harness> {
  const database = await createTestDatabase();
  const product = await startProduct();
  const data = createTempDir();
  const setup = { databaseUrl: database.databaseUrl, dataDir: data.path, productUrl: product.url };
  const gateway = await startTestGateway(setup, options);
  const agent = new Agent({ connections: 300 });
  const call = async (
    key: string,
    { path = '/ok', api = 'tax-lookup', url = gateway.url, ...rest }: CallOptions = {},
  ): Promise<TestResponse> => {
    const response = await request(`${url}/${api}/v1${path}`, {
      method: rest.method ?? 'GET',
      headers: { 'x-api-key': key, ...rest.headers },
      body: rest.body ?? null,
      dispatcher: agent,
    });
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).includes('json') && text !== '';
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  const close = async (): Promise<void> => {
    await agent.close();
    await gateway.close();
    await product.close();
    const mismatches = await findQuotaMismatches(database);
    await database.close();
    data.remove();
    if (mismatches.length > 0) throw new Error(`the quotas don't add up: ${JSON.stringify(mismatches)}`);
  };
  return { database, product, gateway, setup, agent, call, close };
}

/** The number of responses with each status. */
export function countStatuses(responses: readonly Pick<TestResponse, 'status'>[]): Record<number, number> {
  const tally: Record<number, number> = {};
  for (const { status } of responses) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
}

/**
 * Makes calls at once, and expects that a limit per second admits as many as it allows, and refuses all others. A burst of a machine that
 * stands still takes longer than one second.
 */
export async function expectLimited(
  perSecond: number,
  calls: number,
  call: (index: number) => Promise<TestResponse>,
): Promise<{ responses: TestResponse[]; admitted: number }> {
  const startedAt = performance.now();
  const responses = await Promise.all(Array.from({ length: calls }, (_, index) => call(index)));
  const seconds = Math.ceil((performance.now() - startedAt) / 1000);
  const { 200: admitted = 0, 429: refused = 0 } = countStatuses(responses);
  expect(admitted + refused).toBe(calls);
  expect(admitted).toBeGreaterThanOrEqual(perSecond);
  expect(admitted).toBeLessThanOrEqual(perSecond * seconds);
  return { responses, admitted };
}

/** The number of calls of an activation that were counted, and that were free. */
export async function usageOf(pool: Pool, activationId: string): Promise<{ counted: number; free: number }> {
  const usage = await pool.query<{ counted: number; free: number }>(
    `select coalesce(sum(calls) filter (where counted), 0) as counted, coalesce(sum(calls) filter (where not counted), 0) as free
     from usage_counts where activation_id = $1`,
    [activationId],
  );
  return usage.rows[0] ?? { counted: 0, free: 0 };
}
