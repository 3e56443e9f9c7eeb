import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtProgram } from '#shared/platform/built-program.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { partiesExample } from '#products/invoicing/invoice-request.ts';

/**
 * Starts the process as the launcher does, waits until it serves (or has ended), and returns how it ended after `act`.
 */
async function run(
  settings: Record<string, string>,
  act: (child: ReturnType<typeof fork>, invoicingUrl: string) => unknown,
) {
  const [taxLookupPort, invoicingPort] = await freePorts(2);
  const child = fork(builtProgram('products'), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, TAX_LOOKUP_PORT: `${taxLookupPort}`, INVOICING_PORT: `${invoicingPort}`, ...settings },
  });
  let output = '';
  const serves = new Promise<void>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('both products serve')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
  });
  const ended = once(child, 'exit');
  // The streams, since 'close' does not follow disconnect().
  const outputEnded = Promise.all(
    [child.stdout, child.stderr].flatMap((stream) => (stream ? [once(stream, 'end')] : [])),
  );
  await Promise.race([serves, ended]);
  const health = await Promise.all(
    [taxLookupPort, invoicingPort].map((port) =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        (reply) => reply.status,
        () => 'down',
      ),
    ),
  );
  await act(child, `http://127.0.0.1:${invoicingPort}`);
  const [code] = await ended;
  await outputEnded;
  return { code: Number(code), output, health };
}

test('one process serves both, and SIGTERM ends it cleanly', async () => {
  const { code, health } = await run({}, (child) => child.kill('SIGTERM'));
  expect(health).toEqual([200, 200]);
  expect(code).toBe(0);
});

test('it exits by itself when the process that started it is gone', async () => {
  expect((await run({}, (child) => child.disconnect())).code).toBe(0);
});

test('invalid settings and a broken rate table prevent the start, with a clear message', async () => {
  const clash = await run({ TAX_LOOKUP_PORT: '4999', INVOICING_PORT: '4999' }, () => {});
  expect(clash.code).toBe(1);
  expect(clash.output).toContain('TAX_LOOKUP_PORT and INVOICING_PORT must differ.');
  const account = await run({ GSP_URL: 'https://gsp.example' }, () => {});
  expect(account.output).toContain('GSP_URL needs GSP_CLIENT_ID and GSP_CLIENT_SECRET.');
  const rates = await run({ RATES_DIR: '/nowhere' }, () => {});
  expect(rates.code).toBe(1);
  expect(rates.output).toMatch(/^The rate table has errors:\n {2}- \/nowhere\/notifications.yaml: .*\n$/);
});

const running = (pid: number): boolean =>
  existsSync(`/proc/${pid}/status`) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'no render worker is left behind after %s while it renders',
  async (signal) => {
    let workers: number[] = [];
    await run({}, async (child, url) => {
      const items = Array.from({ length: 500 }, () => ({ description: 'x', hsn: '998319', unitPrice: 1, gstRate: 18 }));
      const body = JSON.stringify({ ...partiesExample, document: { number: 'A1', date: '2026-11-02' }, items });
      fetch(`${url}/v1/invoices/pdf`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
        () => undefined,
      );
      const children = `/proc/${child.pid}/task/${child.pid}/children`;
      const read = () => (workers = readFileSync(children, 'utf8').split(' ').filter(Boolean).map(Number)).length;
      await expect.poll(read).toBe(1);
      child.kill(signal);
    });
    await expect.poll(() => workers.map(running)).toEqual([false]);
  },
  120_000,
);
