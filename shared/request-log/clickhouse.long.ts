import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#shared/platform/log.ts';
import { startClickHouse } from '#ship/standins/clickhouse/engine.ts';
import { getEngine } from '#ship/launch/clickhouse.mjs';
import { openLogReader, openLogWriter } from './open.ts';
import { checkExpiry, checkLog } from './test-log.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-clickhouse-'));
let clickHouse: Awaited<ReturnType<typeof startClickHouse>>;
beforeAll(async () => void (clickHouse = await startClickHouse({ engine: await getEngine(), folder })), 600_000);
afterAll(async () => {
  await clickHouse.close();
  rmSync(folder, { recursive: true });
});

const log = createLog('gateway', { level: 'silent' });

test('a log in ClickHouse holds what a plain list would, however often it is written, corrected and read', async () => {
  const url = clickHouse.database('octroi');
  const [reader, writer] = [await openLogReader(url, 'octroi test log'), await openLogWriter(url, log)];
  await Promise.all([reader.prepare('2026-03-02'), reader.prepare('2026-03-02')]);
  await checkLog({ writer, reader }, 60);
  await checkExpiry({ writer, reader });
  clickHouse.setAway(true);
  await expect(reader.callsOn('ACT-expiry', '2026-03-02')).rejects.toThrow('did not answer');
  clickHouse.setAway(false);
  expect(await reader.callsOn('ACT-expiry', '2026-03-02')).toBe(1);
  await writer.close();
  await reader.close();
});
