import { availableParallelism } from 'node:os';
import { wholeNumber } from '#shared/platform/settings.ts';
import type { RendererBounds } from './renderer.ts';

/** PDF settings, shared by every process that renders PDFs. */
export const pdfSettings = {
  pdfWorkers: wholeNumber(0, 0, 64, 'Number of processes that render PDFs; 0 means one less than the number of cores'),
  pdfTimeoutMs: wholeNumber(12_000, 100, 600_000, 'Timeout (ms) for rendering one PDF'),
  pdfMemoryMb: wholeNumber(512, 128, 65_536, 'Maximum memory (MB) of a process that renders PDFs'),
  pdfQueueSize: wholeNumber(
    200,
    1,
    100_000,
    'Maximum number of PDFs in the queue; one customer may use a quarter of it',
  ),
  pdfQueueTimeoutMs: wholeNumber(15_000, 100, 600_000, 'Maximum time (ms) a PDF may wait in the queue'),
};

/** Nice value of render workers, 0 to 19: high enough that a busy gateway hardly notices them. */
const niceness = 10;

/** The renderer's limits on this machine, from the settings. */
export function rendererBoundsOf(settings: {
  pdfWorkers: number;
  pdfTimeoutMs: number;
  pdfMemoryMb: number;
  pdfQueueSize: number;
  pdfQueueTimeoutMs: number;
}): RendererBounds {
  return {
    workers: settings.pdfWorkers === 0 ? Math.max(1, availableParallelism() - 1) : settings.pdfWorkers,
    timeoutMs: settings.pdfTimeoutMs,
    memoryBytes: settings.pdfMemoryMb * 1024 * 1024,
    queueSize: settings.pdfQueueSize,
    queueTimeoutMs: settings.pdfQueueTimeoutMs,
    idleMs: 60_000,
    niceness,
  };
}
