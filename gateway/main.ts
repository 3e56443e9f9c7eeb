import { CatalogFaults } from '#catalog/catalog.ts';
import { connect } from '#shared/database/connect.ts';
import { processName } from '#shared/database/process-name.ts';
import { rememberDatabase } from '#shared/database/database-memory.ts';
import { requireDatabase, UnfitDatabase } from '#shared/database/require-database.ts';
import { JournalInUse } from '#gateway/journal/lock.ts';
import { checkShortcuts, shortcuts } from '#gateway/node/shortcuts.ts';
import { applyV8Flags } from '#gateway/node/v8-flags.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { proxyNoticesMs } from '#shared/platform/close-server.ts';
import { createLog } from '#shared/platform/log.ts';
import { metricsAt } from '#shared/platform/metrics.ts';
import { createProcessLife } from '#shared/platform/process-life.ts';
import { startTracing } from '#shared/platform/tracing.ts';
import { ConfigFaults } from '#shared/platform/read-config.ts';
import { readGatewayConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { openCatalogVersions } from './served-catalog.ts';

/** Starts the gateway from its settings and runs it until the process is stopped. */
async function main(): Promise<void> {
  const source = { env: process.env };
  const config = readGatewayConfig(source);
  const log = createLog('gateway', { level: config.logLevel });
  const life = createProcessLife(log, 15_000);
  life.onStop('traces', await startTracing('octroi-gateway', config));
  if (config.nodeShortcuts === 'off') for (const shortcut of shortcuts) shortcut.disable();
  else {
    for (const { name, fallback } of await checkShortcuts())
      log.warn(
        { node: process.version, fallback },
        `self-test failed on this version of Node, using the fallback: ${name}`,
      );
    applyV8Flags();
  }
  await requireDatabase(config.databaseUrl, { isRehearsal: config.rehearsal });
  const memory = rememberDatabase(config.journalDir, log);
  const connection = connect(config.databaseUrl, {
    onConnected: memory.look,
    applicationName: processName('gateway'),
    maxConnections: 8,
    keptConnections: 4,
    statementTimeoutMs: 5000,
    onConnectionLost: (error) => log.warn({ err: error }, 'lost a connection to the database'),
  });
  life.onStop('database', connection.close);
  await memory.look(connection.pool);
  const refusal = memory.refusal();
  if (refusal !== undefined) throw new UnfitDatabase(refusal, 'setback');
  life.onStop('place of the database', memory.follow(connection.pool));
  const measured = metricsAt(config.gatewayMetricsPort, config.metricsHost);
  const versions = openCatalogVersions(connection.db, config.catalogDir, source);
  const served = await versions.load(await versions.newest());
  const gateway = await startGateway({
    config,
    connection,
    served,
    versions,
    metrics: measured?.metrics,
    log,
    now: systemClock,
    closing: { keepIdleMs: config.trustedProxies.length === 0 ? 0 : proxyNoticesMs },
  });
  life.onStop('gateway', gateway.close);
  if (measured) life.onStop('metrics', (await measured.serve(log)).close);
  log.info({ url: gateway.url }, 'ready');
}

main().catch((error: unknown) => {
  const expected = [CatalogFaults, ConfigFaults, JournalInUse, UnfitDatabase].some((kind) => error instanceof kind);
  process.stderr.write(
    `${expected && error instanceof Error ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
});
