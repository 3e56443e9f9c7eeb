import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { send, temporaryFolder } from '#ship/standins/testing.ts';

const authorization = 'Basic cnpwX3Rlc3RfTE9DQUwwMDAwMDAwMDE6cnpwX3NhbmRib3hfc2VjcmV0XzAwMDA=';
const readyLine = z.object({ message: z.literal('stand-ins ready'), googleUrl: z.string(), razorpayUrl: z.string() });

function spawnMain(environment: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['build/standins.js'], {
    env: {
      ...process.env,
      STANDIN_GOOGLE_PORT: '0',
      STANDIN_RAZORPAY_PORT: '0',
      RAZORPAY_WEBHOOK_URL: 'http://127.0.0.1:9/none',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function start(dataDir: string) {
  const child = spawnMain({ DATA_DIR: dataDir });
  if (!child.stdout) throw new Error('The process has no output.');
  const [chunk] = await once(child.stdout, 'data');
  return { child, ...readyLine.parse(JSON.parse(String(chunk))) };
}

test('every acknowledged order and payment is there after kill -9, and a half-written line is dropped', async () => {
  const dataDir = temporaryFolder();
  const first = await start(dataDir);
  const order = await send(
    'POST',
    `${first.razorpayUrl}/v1/orders`,
    { amount: 149_900, currency: 'INR' },
    { authorization },
  );
  const paid = await send('POST', `${first.razorpayUrl}/standin/pay`, { order_id: order.body['id'] });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const journal = join(dataDir, 'standins', 'razorpay.jsonl');
  expect(readFileSync(journal, 'utf8')).not.toMatch(/4100 ?2800/);
  appendFileSync(journal, '{"kind":"order","value":{"ord');

  const second = await start(dataDir);
  const read = async (path: string) =>
    (await send('GET', `${second.razorpayUrl}/v1${path}`, undefined, { authorization })).body;
  expect(await read(`/orders/${order.body['id']}`)).toMatchObject({ status: 'paid', amount_paid: 149_900 });
  expect(await read(`/payments/${paid.body['razorpay_payment_id']}`)).toMatchObject({ status: 'captured' });
  const next = await send(
    'POST',
    `${second.razorpayUrl}/v1/orders`,
    { amount: 500, currency: 'INR' },
    { authorization },
  );
  expect(next.status).toBe(200);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it cleanly', async (signal) => {
  const { child } = await start(temporaryFolder());
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('it exits when its parent’s channel closes', async () => {
  const { child } = await start(temporaryFolder());
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('it does not start in production', async () => {
  const child = spawnMain({ NODE_ENV: 'production', DATA_DIR: temporaryFolder() });
  const [[code], [line]] = await Promise.all([once(child, 'exit'), once(child.stderr ?? child, 'data')]);
  expect(code).toBe(1);
  expect(String(line)).toContain('do not start when NODE_ENV is production');
});
