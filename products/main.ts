import { rendererBoundsOf } from '#paper/config.ts';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createMetrics, serveMetrics } from '#platform/metrics.ts';
import { createProcessLife } from '#platform/process-life.ts';
import { ConfigFaults } from '#platform/read-config.ts';
import { gspOf, readProductsSettings } from '#products/config.ts';
import { startProducts } from '#products/start-products.ts';
import { RateFaults } from '#products/tax-lookup/rate-files.ts';

/** The products' process: serves both APIs until SIGTERM or until the process that started it is gone. */
async function main(): Promise<void> {
  const settings = readProductsSettings({ env: process.env });
  const log = createLog('products', { level: settings.logLevel });
  const life = createProcessLife(log);
  const metrics = settings.productsMetricsPort === undefined ? undefined : createMetrics();
  const running = await startProducts(
    { ...settings, metrics, gsp: gspOf(settings), pdf: rendererBoundsOf(settings) },
    systemClock,
    log,
  );
  life.onStop('products', running.stop);
  if (metrics && settings.productsMetricsPort !== undefined) {
    const address = { port: settings.productsMetricsPort, host: settings.metricsHost };
    life.onStop('metrics', (await serveMetrics(metrics, address, log)).close);
  }
}

main().catch((error: unknown) => {
  const foreseen = error instanceof ConfigFaults || error instanceof RateFaults;
  process.stderr.write(`${foreseen ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
