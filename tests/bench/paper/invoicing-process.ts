import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { rendererBoundsOf } from '#shared/paper/config.ts';
import { renderPdf } from '#shared/paper/render.ts';
import { createRenderer, type Renderer } from '#shared/paper/renderer.ts';
import { preparingProgram } from '#shared/paper/worker-message.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { createInvoicing } from '#products/invoicing/app.ts';

/**
 * The invoicing API in its own process, which sends its parent the address: PDFs in workers as it ships, or `inside`,
 * as it was before.
 */
const log = pino({ enabled: false });
const inside: Renderer = {
  render: async (_customer, paper) => renderPdf('json' in paper ? paper.json : JSON.stringify(paper)),
  prepare: async (_customer, program, data) => preparingProgram.parse(await import(program)).prepare(data),
  stop: async () => undefined,
  workerPids: () => [],
};
// A storm must render to its end, however busy the machine is.
const settings = {
  pdfWorkers: 0,
  pdfTimeoutMs: 600_000,
  pdfMemoryMb: 512,
  pdfQueueSize: 10_000,
  pdfQueueTimeoutMs: 600_000,
};
const renderer = parseArgs({ allowPositionals: true }).positionals.includes('inside')
  ? inside
  : createRenderer(rendererBoundsOf(settings), log);
const server = await createInvoicing({
  gatewayUrl: 'http://localhost:4100',
  registrar: undefined,
  store: undefined,
  renderer,
  now: systemClock,
  log,
});
process.on('disconnect', () => void Promise.all([server.close(), renderer.stop()]).then(() => process.exit()));
process.send?.(await server.listen({ port: 0, host: '127.0.0.1' }));
