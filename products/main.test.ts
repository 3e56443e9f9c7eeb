import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { projectFolder } from '#platform/project-folder.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts the process as the launcher does, waits until it serves (or has ended), and tells how it ends after `act`. */
async function run(settings: Record<string, string>, act: (child: ReturnType<typeof fork>) => unknown) {
  const [taxLookupPort, invoicingPort] = [await freePort(), await freePort()];
  const child = fork(projectFolder('products', 'main.ts'), {
    execArgv: ['--import', 'tsx'],
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
  await Promise.race([serves, ended]);
  const health = await Promise.all(
    [taxLookupPort, invoicingPort].map((port) =>
      fetch(`http://127.0.0.1:${port}/health`).then(
        (reply) => reply.status,
        () => 'down',
      ),
    ),
  );
  act(child);
  const [code] = await ended;
  return { code: Number(code), output, health };
}

test('one process serves both, and SIGTERM ends it in order', async () => {
  const { code, health } = await run({}, (child) => child.kill('SIGTERM'));
  expect(health).toEqual([200, 200]);
  expect(code).toBe(0);
});

test('it ends by itself when the process that started it is gone', async () => {
  expect((await run({}, (child) => child.disconnect())).code).toBe(0);
});

test('wrong settings and a broken rate table keep it from starting, with a plain sentence', async () => {
  const clash = await run({ TAX_LOOKUP_PORT: '4999', INVOICING_PORT: '4999' }, () => {});
  expect(clash.code).toBe(1);
  expect(clash.output).toContain('TAX_LOOKUP_PORT and INVOICING_PORT must differ.');
  const account = await run({ GSP_URL: 'https://gsp.example' }, () => {});
  expect(account.output).toContain('GSP_URL needs GSP_CLIENT_ID and GSP_CLIENT_SECRET.');
  const rates = await run({ RATES_DIR: '/nowhere' }, () => {});
  expect(rates.code).toBe(1);
  expect(rates.output).toMatch(/^The rate table has faults:\n {2}- \/nowhere\/notifications.yaml: .*\n$/);
});
