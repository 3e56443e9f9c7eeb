import { availableParallelism } from 'node:os';
import { wholeNumber } from '#platform/settings.ts';
import type { RendererBounds } from './renderer.ts';

/** The settings of every process that makes PDFs: how much of the machine it may use for them. */
export const pdfSettings = {
  pdfWorkers: wholeNumber(
    0,
    0,
    64,
    'Processes that render PDFs at the same time; 0 means one less than there are cores',
  ),
  pdfTimeoutMs: wholeNumber(12_000, 100, 600_000, 'How long (ms) rendering one PDF may take before it is stopped'),
  pdfMemoryMb: wholeNumber(512, 128, 65_536, 'Most memory (MB) of a process that renders PDFs'),
  pdfQueueSize: wholeNumber(
    200,
    1,
    100_000,
    'Most PDFs that wait to be rendered; one customer may fill a quarter of it',
  ),
  pdfQueueTimeoutMs: wholeNumber(15_000, 100, 600_000, 'How long (ms) a PDF may wait to be rendered'),
};

/** How far below other processes PDFs rank, 0 to 19: low enough that a busy gateway hardly notices them. */
const niceness = 10;

/** The bounds that these settings mean on this machine. */
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
