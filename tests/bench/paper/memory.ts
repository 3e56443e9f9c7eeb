import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { markdownTable } from '#tests/bench/gateway/numbers.ts';
import { createRenderer } from '#shared/paper/renderer.ts';
import { rendererBoundsOf } from '#shared/paper/config.ts';
import { printedInvoice } from '#products/invoicing/invoice-paper.ts';
import { paperRequest } from '#products/invoicing/paper-request.ts';
import { invoiceOf } from './sample.ts';

const defaults = {
  pdfWorkers: 0,
  pdfTimeoutMs: 600_000,
  pdfMemoryMb: 512,
  pdfQueueSize: 200,
  pdfQueueTimeoutMs: 600_000,
};
const rows = 10;
const sum = (total: number, one: number): number => total + one;

/**
 * Prints `documents` small, distinct PDFs and reports, after every tenth of them, the memory of this process and the
 * peak memory of its workers since.
 */
export async function measureMemory(documents: number, say: (line: string) => void): Promise<string> {
  // Priority affects how long it takes, not how much memory it needs.
  const bounds = { ...rendererBoundsOf(defaults), niceness: 0 };
  const renderer = createRenderer(bounds, pino({ enabled: false }));
  const table: string[][] = [];
  let most = 0;
  for (let done = 1; done <= documents; done += 1) {
    const request = paperRequest.parse(invoiceOf(2, done));
    await renderer.render('bench', printedInvoice(request, request.document.date, false));
    most = Math.max(most, renderer.workerPids().map(residentMegabytes).reduce(sum, 0));
    if (done % Math.ceil(documents / rows) !== 0) continue;
    const own = residentMegabytes(process.pid);
    table.push([done, own, most, own + most].map((value) => value.toFixed(0)));
    say(`  ${table.at(-1)?.join('  ')}`);
    most = 0;
  }
  await renderer.stop();
  return markdownTable(['PDFs', 'This process, MB', 'Workers peak, MB', 'Together, MB'], table);
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
