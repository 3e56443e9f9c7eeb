import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { vi } from 'vitest';
import { z } from 'zod';
import { type Changes, changedCatalog } from '#catalog/test-catalog.ts';
import { listeningPort, spawnTestGateway } from '#server/test/gateway.ts';
import { startTestPortal, type TestPortal } from '#server/test/portal.ts';

/** A portal and gateways as programs of their own before one API, for the commands, which find them by their settings. */
export interface TestGateways {
  portal: TestPortal;
  /** Calls the Tax Lookup API once; call `turn` goes through gateway `turn` modulo their count. The status, and the code of a refusal or `ok`. */
  call: (turn: number, apiKey: string) => Promise<string>;
  /** The same through each gateway. */
  callEach: (apiKey: string) => Promise<string[]>;
  close: () => Promise<void>;
}

export async function startTestGateways(count: number, changes: Changes = {}): Promise<TestGateways> {
  const api = createServer((_req, res) => void res.end('{}'));
  const dataDir = mkdtempSync(join(tmpdir(), 'octroi-gateways-'));
  const catalogDir = changedCatalog(changes);
  const portal = await startTestPortal({ jobs: false, catalogDir });
  const settings = { DATABASE_URL: portal.portal.settings.databaseUrl, CATALOG_DIR: catalogDir };
  const upstream = `http://127.0.0.1:${await listeningPort(api)}`;
  const gateways = await Promise.all(
    Array.from({ length: count }, (_, index) =>
      spawnTestGateway({ ...settings, DATA_DIR: join(dataDir, String(index)), UPSTREAM_TAX_LOOKUP_API: upstream }),
    ),
  );
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  const call: TestGateways['call'] = async (turn, apiKey) => {
    const { statusCode, body } = await request(`${gateways[turn % count]?.url}/tax-lookup/v1/ok`, {
      headers: { 'x-api-key': apiKey },
    });
    const { code } = responseBody.parse(await body.json());
    return `${statusCode} ${code}`;
  };
  return {
    portal,
    call,
    callEach: (apiKey) => Promise.all(gateways.map((_, turn) => call(turn, apiKey))),
    close: async () => {
      vi.unstubAllEnvs();
      await Promise.all(gateways.map(({ stop }) => stop()));
      api.closeAllConnections();
      await once(api.close(), 'close');
      await portal.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}

const responseBody = z.object({ code: z.string().default('ok') });
