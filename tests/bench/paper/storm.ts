import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { markdownTable, median, shown } from '#tests/bench/gateway/numbers.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { invoiceOf } from './sample.ts';

const ways = {
  quiet: { title: 'Computing alone', rendering: 'workers', storm: false },
  workers: { title: 'During a storm of PDFs, in workers', rendering: 'workers', storm: true },
  inside: { title: 'During the same storm, in the same process (as before)', rendering: 'inside', storm: true },
} as const;
type Way = keyof typeof ways;

const betweenCallsMs = 40;
const warmMs = 3000;
const stormPdfs = 20;
const smallPdfsEveryMs = 200;

interface Slice {
  p50: number;
  p99: number;
  longest: number;
  pdfs: number;
}

/**
 * The latency of computing a small invoice, alone and during a storm: 20 PDFs of 500 lines at once from one activation,
 * and five small ones per second from another. Each slice has a fresh process; the ratios compare slices of the same
 * round.
 */
export async function measureStorm(rounds: number, seconds: number, say: (line: string) => void): Promise<string> {
  const slices: Record<Way, Slice[]> = { quiet: [], workers: [], inside: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of ['quiet', 'workers', 'inside'] as const) {
      const slice = await measureSlice(way, seconds * 1000);
      slices[way].push(slice);
      say(
        `  ${round + 1}  ${way}  p50 ${shown(slice.p50)}  p99 ${shown(slice.p99)} ms  longest ${shown(slice.longest)} ms`,
      );
    }
  }
  const of = (way: Way, field: keyof Slice) => median(slices[way].map((slice) => slice[field]));
  const ratio = (way: Way) =>
    median(slices[way].map(({ p99 }, index) => p99 / (slices.quiet[index]?.p99 ?? Number.NaN)));
  const rows = (['quiet', 'workers', 'inside'] as const).map((way) => [
    ways[way].title,
    shown(of(way, 'p50')),
    shown(of(way, 'p99')),
    shown(ratio(way)),
    shown(of(way, 'longest')),
    shown(of(way, 'pdfs')),
  ]);
  return markdownTable(
    ['Calls to compute', 'p50, ms', 'p99, ms', 'p99, alone = 1', 'Longest, ms', 'PDFs printed'],
    rows,
  );
}

async function measureSlice(way: Way, lengthMs: number): Promise<Slice> {
  const child = fork(projectFolder('tests', 'bench', 'paper', 'invoicing-process.ts'), [ways[way].rendering], {
    execArgv: ['--import', 'tsx'],
  });
  const ended = once(child, 'exit');
  const [url] = await once(child, 'message');
  // Separate connections for each, so that nothing queues in this process.
  const [compute, print] = [new Pool(String(url), { connections: 32 }), new Pool(String(url), { connections: 64 })];
  try {
    await callForAWhile(compute, warmMs);
    let pdfs = 0;
    let number = 0;
    const sendPdf = (activation: string, lines: number): void => {
      post(print, 'pdf', activation, lines, (number += 1)).then(
        () => (pdfs += 1),
        () => undefined,
      );
    };
    if (ways[way].storm) for (let index = 0; index < stormPdfs; index += 1) sendPdf('ACT-STORM', 500);
    const small = ways[way].storm ? setInterval(() => sendPdf('ACT-SMALL', 2), smallPdfsEveryMs) : undefined;
    const took = await callForAWhile(compute, lengthMs);
    clearInterval(small);
    const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
    return { p50: at(0.5), p99: at(0.99), longest: at(1), pdfs };
  } finally {
    await Promise.all([compute.destroy(), print.destroy()]);
    child.disconnect();
    await ended;
  }
}

/** Calls at an even pace, however long each takes; returns the latency of each from when it was due, shortest first. */
async function callForAWhile(pool: Pool, lengthMs: number): Promise<number[]> {
  const took: number[] = [];
  const calls: Promise<void>[] = [];
  const began = performance.now();
  for (let due = began; due < began + lengthMs; due += betweenCallsMs) {
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    const call = post(pool, 'compute', 'ACT-PAYING', 2, calls.length).then(
      () => void took.push(performance.now() - due),
    );
    calls.push(call);
  }
  await Promise.all(calls);
  return took.toSorted((a, b) => a - b);
}

async function post(pool: Pool, path: string, activation: string, lines: number, number: number): Promise<void> {
  const { statusCode, body } = await pool.request({
    method: 'POST',
    path: `/v1/invoices/${path}`,
    headers: { 'content-type': 'application/json', 'x-octroi-activation': activation },
    body: JSON.stringify(invoiceOf(lines, number)),
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  await body.arrayBuffer();
  if (statusCode !== 200) throw new Error(`${path} responded ${statusCode}`);
}
