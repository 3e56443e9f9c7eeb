import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { builtProgram } from '#shared/platform/built-program.ts';
import type { GspSettings } from '#products/gsp/gsp.ts';

const readyLine = z.looseObject({ gstnUrl: z.string() });

export interface TestGsp {
  settings: GspSettings;
  /** Calls a control of the stand-in. */
  control: (method: 'PUT' | 'POST' | 'GET', path: string, body?: unknown) => Promise<unknown>;
  stop: () => Promise<void>;
}

/** Runs the stand-in for the government's systems in its own process, as beside the real products. */
export async function startTestGsp(): Promise<TestGsp> {
  const folder = mkdtempSync(join(tmpdir(), 'gsp-'));
  const child = fork(builtProgram('standins'), {
    execArgv: [],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      DATA_DIR: folder,
      STANDIN_GOOGLE_PORT: '0',
      STANDIN_RAZORPAY_PORT: '0',
      STANDIN_GSTN_PORT: '0',
    },
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  };
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve(readyLine.parse(JSON.parse(output.split('\n', 1)[0] ?? '')).gstnUrl);
    });
    void ended.then(() => reject(new Error('The stand-ins did not start.')));
  });
  return {
    settings: { url, clientId: 'octroi-local-gsp', clientSecret: 'gsp_sandbox_secret_0000', timeoutMs: 60_000 },
    control: async (method, path, body) => {
      const reply = await fetch(`${url}/standin${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
      return reply.json();
    },
    stop,
  };
}
