import { createFairQueue } from '#shared/platform/fair-queue.ts';
import type { Log } from '#shared/platform/log.ts';
import type { DocumentPaper, StatementPaper } from './document-paper.ts';
import { RenderFault } from './render-fault.ts';
import { createUsedTime } from './used-time.ts';
import { type RenderWorker, startRenderWorker, type WorkerBounds } from './worker-process.ts';

export interface RendererBounds extends WorkerBounds {
  /** How many workers render at the same time. */
  workers: number;
  /** How many documents may be queued; one customer may use a quarter of the queue, and makes room for those who have fewer. */
  queueSize: number;
  /** How long a document may wait in the queue, in milliseconds. */
  queueTimeoutMs: number;
  /** How long an idle worker keeps running, in milliseconds; it holds about 80 MB. */
  idleMs: number;
}

/** Renders documents as PDFs in worker processes. */
export interface Renderer {
  /**
   * Renders a document; the same data gives the same bytes. Customers take turns, however many documents each has queued; whoever has used much
   * time lately comes after the others, and never has all workers if there are several. Throws RenderFault when the document was refused or
   * stopped, which affects no other document.
   */
  render: (customer: string, paper: DocumentPaper | StatementPaper | SerializedPaper) => Promise<Buffer>;
  /**
   * Prepares data for a render in a worker: calls `prepare` of a program (`programOf`). Shares the queue and the limits
   * of renders.
   */
  prepare: (customer: string, program: string, data: string) => Promise<unknown>;
  /** Refuses queued documents, gives running renders a few seconds to finish, and stops the workers. */
  stop: () => Promise<void>;
  /** The process ids of the running workers. */
  workerPids: () => number[];
}

/** A `DocumentPaper` as JSON. */
export interface SerializedPaper {
  json: string;
}

interface Waiting {
  customer: string;
  /** Resolves with a function that delivers the result, so that the worker is free before the result is used. */
  work: (worker: RenderWorker) => Promise<() => void>;
  reject: (error: unknown) => void;
  timeout: NodeJS.Timeout;
}

/** What a refused document counts as used time of a customer whose share of the queue is full: as much as a small one that is rendered. */
const refusedMs = 13;

/** A worker grows by about 40 kB per document although Typst's cache is evicted; starting a new one takes a tenth of a second. */
const rendersPerWorker = 500;
const stopGraceMs = 3000;

/** Refuses a document that has left the queue. */
function drop({ timeout, reject }: Waiting, reason: RenderFault['reason']): void {
  clearTimeout(timeout);
  reject(new RenderFault(reason));
}

/** Creates a renderer whose workers start on demand and stop when idle. */
export function createRenderer(bounds: RendererBounds, log: Log): Renderer {
  const queue = createFairQueue<string, Waiting>();
  const used = createUsedTime(() => performance.now());
  const runningOf = new Map<string, number>();
  const mostOfCustomer = Math.max(1, bounds.workers - 1);
  const running = new Set<Promise<void>>();
  const workers = new Set<RenderWorker>();
  const idle = new Map<RenderWorker, NodeJS.Timeout>();
  const maxQueuedPerCustomer = Math.ceil(bounds.queueSize / 4);
  let stopping = false;

  const start = (): RenderWorker => {
    const worker = startRenderWorker(bounds);
    workers.add(worker);
    return worker;
  };
  const retire = (worker: RenderWorker): void => {
    clearTimeout(idle.get(worker));
    idle.delete(worker);
    workers.delete(worker);
    worker.end();
  };
  /** An idle worker that still runs, or a new one. */
  const idleOrNew = (): RenderWorker => {
    for (const [worker, timer] of idle) {
      clearTimeout(timer);
      idle.delete(worker);
      if (worker.alive()) return worker;
      workers.delete(worker);
    }
    return start();
  };
  const release = (worker: RenderWorker): void => {
    const isSpent = worker.rendered() >= rendersPerWorker || worker.rssBytes() > bounds.memoryBytes / 2;
    if (isSpent || stopping || !worker.alive()) retire(worker);
    else idle.set(worker, setTimeout(() => retire(worker), bounds.idleMs).unref());
  };

  const mayRun = (customer: string): boolean => (runningOf.get(customer) ?? 0) < mostOfCustomer;
  /** The next document of a customer who has used little time; of any customer when only others wait. */
  const takeNext = (): Waiting | undefined =>
    queue.take((customer) => mayRun(customer) && !used.isMuch(customer)) ?? queue.take(mayRun);

  const serve = async (worker: RenderWorker, { customer, work, reject, timeout }: Waiting): Promise<void> => {
    clearTimeout(timeout);
    runningOf.set(customer, (runningOf.get(customer) ?? 0) + 1);
    const startedAt = performance.now();
    try {
      const deliver = await work(worker);
      deliver();
    } catch (error) {
      if (error instanceof RenderFault)
        log.warn({ reason: error.reason }, 'a PDF was not rendered; its worker was stopped');
      reject(error);
    } finally {
      used.add(customer, performance.now() - startedAt);
      const others = (runningOf.get(customer) ?? 1) - 1;
      if (others === 0) runningOf.delete(customer);
      else runningOf.set(customer, others);
      release(worker);
    }
  };
  const serveNext = (): void => {
    while (queue.size() > 0) {
      if (idle.size === 0 && workers.size >= bounds.workers) return;
      const next = takeNext();
      if (!next) return;
      const worker = idleOrNew();
      const served = serve(worker, next).finally(() => {
        running.delete(served);
        serveNext();
      });
      running.add(served);
    }
  };

  const enqueue = <Result>(customer: string, work: (worker: RenderWorker) => Promise<Result>): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (stopping) throw new RenderFault('stopping');
      if (queue.sizeOf(customer) >= maxQueuedPerCustomer) {
        used.add(customer, refusedMs);
        throw new RenderFault('busy');
      }
      if (queue.size() >= bounds.queueSize) {
        const dropped = queue.makeRoomFor(customer);
        if (dropped === undefined) throw new RenderFault('busy');
        drop(dropped, 'busy');
      }
      const waiting: Waiting = {
        customer,
        work: async (worker) => {
          const result = await work(worker);
          return () => resolve(result);
        },
        reject,
        timeout: setTimeout(() => {
          queue.remove(customer, waiting);
          reject(new RenderFault('busy'));
        }, bounds.queueTimeoutMs),
      };
      queue.push(customer, waiting);
      serveNext();
    });

  return {
    render: (customer, paper) => {
      const json = 'json' in paper ? paper.json : JSON.stringify(paper);
      return enqueue(customer, (worker) => worker.render(json));
    },
    prepare: (customer, program, data) => enqueue(customer, (worker) => worker.prepare(program, data)),
    stop: async () => {
      stopping = true;
      for (let waiting = queue.take(); waiting !== undefined; waiting = queue.take()) drop(waiting, 'stopping');
      const ending = setTimeout(() => workers.forEach(retire), stopGraceMs);
      await Promise.all(running);
      clearTimeout(ending);
      workers.forEach(retire);
    },
    workerPids: () => [...workers].flatMap(({ pid, alive }) => (alive() ? (pid ?? []) : [])),
  };
}
