import { rendererBoundsOf } from '#shared/paper/config.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { proxyNoticesMs } from '#shared/platform/close-server.ts';
import { createLog } from '#shared/platform/log.ts';
import { metricsAt } from '#shared/platform/metrics.ts';
import { createProcessLife } from '#shared/platform/process-life.ts';
import { startTracing } from '#shared/platform/tracing.ts';
import { ConfigFaults } from '#shared/platform/read-config.ts';
import { gspOf, readProductsSettings } from '#products/config.ts';
import { startProducts } from '#products/start-products.ts';
import { RateFaults } from '#products/tax-lookup/rate-files.ts';

/** The products' process: serves both APIs until SIGTERM or until the process that started it is gone. */
async function main(): Promise<void> {
  const settings = readProductsSettings({ env: process.env });
  const log = createLog('products', { level: settings.logLevel });
  const life = createProcessLife(log);
  life.onStop('traces', await startTracing('octroi-products', settings));
  const measured = metricsAt(settings.productsMetricsPort, settings.metricsHost);
  const running = await startProducts(
    {
      ...settings,
      metrics: measured?.metrics,
      gsp: gspOf(settings),
      pdf: rendererBoundsOf(settings),
      closing: { keepIdleMs: proxyNoticesMs },
    },
    systemClock,
    log,
  );
  life.onStop('products', running.stop);
  if (measured) life.onStop('metrics', (await measured.serve(log)).close);
}

main().catch((error: unknown) => {
  const foreseen = error instanceof ConfigFaults || error instanceof RateFaults;
  process.stderr.write(`${foreseen ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
