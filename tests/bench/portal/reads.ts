import { createHmac } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { SamplePlan } from '#catalog/sample-plan.ts';
import type { Call } from '#shared/contract/call.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { linkSecret, type startPortal } from './portal.ts';

/** A call to measure; a customer is a number of the sample data. */
export interface Read {
  name: string;
  act: (at: Awaited<ReturnType<typeof startPortal>>, customer: number) => Promise<void>;
}

export const sessionToken = (customer: number): string => `bench-${customer}-`.padEnd(43, 'x');

const today = new Date().toISOString().slice(0, 10);
const yearAgo = new Date(Date.now() - 360 * 86_400_000).toISOString().slice(0, 10);

type Params = Readonly<Record<string, (customer: number) => string>>;

/** The values of the parameters of paths, for a customer with calls. */
const paramsOf = ({ product, plan }: SamplePlan): Params => ({
  accountantId: (n) => `ACN-${n}`,
  activationId: (n) => `ACT-${n}`,
  id: (n) => `ACT-${n}`,
  billingCycleId: (n) => `CYC-${n}-11`,
  documentId: (n) => `DOC-${n}-11I`,
  invitationId: (n) => `INV-${n}`,
  productId: () => product.id,
  // Not the plan of the sample data where there is another paid one, so that it can be switched to.
  planId: () => (product.plans.find((each) => each.pricePaise > 0 && each.planId !== plan.planId) ?? plan).planId,
  threadId: (n) => `SUP-${n}`,
  fileId: () => 'FIL-0',
  webhookId: (n) => `WHK-${n}`,
  deliveryId: (n) => `DLV-${n}-1`,
  month: () => new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 7),
  from: () => yearAgo,
  to: () => today,
});

/** Queries, by the name of their call; other calls have none that is needed. */
const queries: Record<string, (customer: number) => Record<string, string>> = {
  searchPages: () => ({ q: 'price', language: 'en' }),
  readUsageReport: () => ({ from: yearAgo, to: today }),
  readStatement: () => ({ from: yearAgo, to: today }),
  readAccountantRequest: (n) => ({
    signature: createHmac('sha256', linkSecret).update(`accountant ACN-${n}`).digest('hex'),
  }),
  readInvitation: (n) => ({
    signature: createHmac('sha256', linkSecret).update(`invitation INV-${n}`).digest('hex'),
  }),
};

/** The sample customers have none; looking for a missing one reads the same index. */
const absent: ReadonlySet<string> = new Set(['readTdsCertificate', 'readSupportFile', 'readInvitation']);

/** Every read of the contract. Throws when one lacks the values it needs, before minutes are spent on filling databases. */
export async function readCalls(sample: SamplePlan): Promise<Read[]> {
  const params = paramsOf(sample);
  const files = readdirSync(projectFolder('shared', 'contract')).filter(
    (file) => file.endsWith('.ts') && !/\.test\.|^test-/.test(file),
  );
  const modules: object[] = await Promise.all(files.map((file) => import(projectFolder('shared', 'contract', file))));
  const calls = modules.flatMap((module) => Object.values(module)).filter(isRead);
  const faults = calls.flatMap((call) => faultsOf(call, params));
  if (faults.length > 0) throw new Error(`tests/bench/portal/reads.ts lacks values:\n${faults.join('\n')}`);
  return calls.map((call) => ({
    name: `${call.method} ${call.path}`,
    act: ({ app }, customer) => read(app, call, params, customer),
  }));
}

function isRead(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'path' in value && 'method' in value && value.method === 'GET';
}

const namesIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

function faultsOf(call: Call, params: Params): string[] {
  const missing = namesIn(call.path).filter((name) => params[name] === undefined);
  const values = Object.fromEntries(namesIn(call.path).map((name) => [name, params[name]?.(10)]));
  const inPath = missing.length > 0 ? undefined : call.params?.safeParse(values);
  const inQuery = call.query?.safeParse(queries[call.name]?.(10) ?? {});
  return [
    ...missing.map((name) => `${call.name}: no value for :${name} of ${call.path}`),
    ...[inPath, inQuery].flatMap((parsed) => (parsed?.error ? [`${call.name}: ${parsed.error.message}`] : [])),
  ];
}

async function read(
  app: Awaited<ReturnType<typeof startPortal>>['app'],
  call: Call,
  params: Params,
  customer: number,
): Promise<void> {
  const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name]?.(customer) ?? '');
  const query = new URLSearchParams(queries[call.name]?.(customer)).toString();
  const headers = { authorization: `Bearer ${sessionToken(customer)}` };
  const url = `/backend${path}${query && `?${query}`}`;
  const { statusCode, body } = await app.inject({ method: 'GET', url, headers });
  const expected = absent.has(call.name) ? 404 : 200;
  if (statusCode !== expected) throw new Error(`${call.name}: ${url} responded ${statusCode}: ${body}`);
}
