import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { bundleScript } from '#shared/platform/test-script.ts';
import { startTracing } from '#shared/platform/tracing.ts';
import { newBuyer } from '#server/features/documents/test-buyer.ts';
import { startMailServer } from '#server/features/mail/test-mail-server.ts';
import { createMailer } from '#server/smtp/mailer.ts';
import { type CollectedSpan, startCollector } from '#ship/standins/collector/collector.ts';
import { startTestPortal, type TestPortal } from './test/portal.ts';

let collector: Awaited<ReturnType<typeof startCollector>>;
let mailServer: Awaited<ReturnType<typeof startMailServer>>;
let portal: TestPortal;
let stopTracing: () => Promise<void>;

beforeAll(async () => {
  [collector, mailServer] = await Promise.all([startCollector(), startMailServer()]);
  stopTracing = await startTracing('octroi-portal', {
    otelExporterOtlpEndpoint: collector.url,
    otelTracesSamplerArg: 1,
  });
  const mailer = createMailer(`smtp://127.0.0.1:${mailServer.port}`, 'Octroi <billing@octroi.example>');
  portal = await startTestPortal({ mailer, rounds: true });
});
afterAll(async () => {
  await portal.close();
  await stopTracing();
  await mailServer.close();
  await collector.close();
});

/** The spans from one up to the first of its trace. */
function causesOf(span: CollectedSpan | undefined): string[] {
  if (span === undefined) return [];
  return [span.name, ...causesOf(collector.spans.find(({ spanId }) => spanId === span.parentSpanId))];
}

const spanNamed = (name: string | RegExp) =>
  vi.waitUntil(() => collector.spans.find((span) => span.name.match(name) !== null), { timeout: 60_000 });

test('a payment is one trace: the call, its statements, Razorpay, the job that prints the invoice, and the mail', async () => {
  const buyer = await newBuyer(portal);
  await buyer.buy(0);
  await mailServer.next('p1@example.com', /Payment received/);
  const mail = await spanNamed(/^send mail$/);
  // A span is exported when it has ended, so its causes come after it.
  await expect.poll(() => causesOf(mail).at(-1)).toBe('POST portal');
  expect(causesOf(mail)).toEqual(expect.arrayContaining(['send mail', 'job send-mail', 'job finish-document']));
  const order = await spanNamed(/^Razorpay POST \/orders$/);
  await expect.poll(() => causesOf(order)).toEqual(['Razorpay POST /orders', 'POST portal']);
  const statement = await spanNamed(/^PostgreSQL insert$/);
  expect(statement.attributes['db.query.text']).toMatch(/^insert into .*\$1/);
  const call = collector.spans.find(({ spanId }) => spanId === order.parentSpanId);
  expect(call).toMatchObject({
    attributes: {
      'octroi.customer': expect.stringMatching(/^CUS-/),
      'octroi.request_id': expect.any(String),
      'http.route': expect.stringContaining('/billing/'),
      'http.response.status_code': 200,
    },
  });
});

test('no secret and no address of a customer is in a trace', () => {
  const received = collector.received();
  for (const secret of ['rzp_sandbox_secret', '@example.com', 'Bearer ', '+919876543210'])
    expect(received).not.toContain(secret);
});

const lineSchema = z.looseObject({ msg: z.string() });

test('lines of the log carry request id, customer and trace of the call that they are about', async () => {
  const lines = portal.logLines
    .flatMap((chunk) => chunk.trim().split('\n'))
    .map((line) => lineSchema.parse(JSON.parse(line)));
  const order = lines.find(({ path }) => String(path).includes('make-order'));
  expect(order).toMatchObject({
    requestId: expect.any(String),
    customer: expect.stringMatching(/^CUS-/),
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const id = JSON.stringify(order).split(String(order?.['requestId'])).length - 1;
  expect(id).toBe(1);
});

test.each([
  ['without a collector, the libraries are not loaded', '', 'false'],
  ['with one, they are', `otelExporterOtlpEndpoint: 'http://127.0.0.1:9'`, 'true'],
])('%s', (_, settings, loaded) => {
  const program = bundleScript(`import { createRequire } from 'node:module';
    import { startTracing } from '#shared/platform/tracing.ts';
    await startTracing('octroi-portal', { otelTracesSamplerArg: 1, ${settings} });
    console.log(Object.keys(createRequire(import.meta.url).cache).some((name) => name.includes('@opentelemetry')));
    process.exit(0);`);
  const output = execFileSync(process.execPath, [program], { encoding: 'utf8' });
  expect(output.trim()).toBe(loaded);
});
