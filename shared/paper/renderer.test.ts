import { existsSync, readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { RenderFault } from './render-fault.ts';
import { renderPdf } from './render.ts';
import { createRenderer, type Renderer, type RendererBounds } from './renderer.ts';
import { paperWithLines, testPaper } from './test-paper.ts';
import { testBounds } from './test-renderer.ts';

const quiet = pino({ enabled: false });
const megabyte = 1024 * 1024;
/** Half a minute of rendering: no machine finishes it within the limits below. */
const endless = paperWithLines(20_000);

// No test here depends on timing, but rendering takes seconds.
vi.setConfig({ testTimeout: 180_000 });

let renderer: Renderer;
afterEach(() => renderer.stop());

const open = (bounds: Partial<RendererBounds> = {}): Renderer => {
  renderer = createRenderer({ ...testBounds, ...bounds }, quiet);
  return renderer;
};

/** A field of /proc/<pid>/status; undefined when the process has exited. */
function statusOf(pid: number, field: string): string | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  return new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
}
const isRunning = (pid: number): boolean => ![undefined, 'Z', 'X'].includes(statusOf(pid, 'State'));
const onlyPid = (): number => {
  const [pid, ...more] = renderer.workerPids();
  if (pid === undefined || more.length > 0) throw new Error('expected exactly one worker');
  return pid;
};
const isPdf = (pdf: Buffer): boolean => pdf.subarray(0, 5).toString() === '%PDF-';
const reasonOf = (rendering: Promise<Buffer>): Promise<string> =>
  rendering.then(
    () => 'rendered',
    (error: unknown) => (error instanceof RenderFault ? error.reason : String(error)),
  );

test('a worker renders the same bytes as this process', async () => {
  const pdf = await open().render('a', testPaper);
  expect(pdf.equals(await renderPdf(JSON.stringify(testPaper)))).toBe(true);
});

test('rendering does not block the event loop', async () => {
  let turns = 0;
  const turning = setInterval(() => (turns += 1), 1);
  await open().render('a', paperWithLines(500));
  clearInterval(turning);
  expect(turns).toBeGreaterThan(10);
});

test("a burst of PDFs from one customer does not delay another customer's single PDF", async () => {
  open();
  const finished: string[] = [];
  const print = async (customer: string, lines: number): Promise<void> => {
    await renderer.render(customer, paperWithLines(lines));
    finished.push(customer);
  };
  await Promise.all([...Array.from({ length: 12 }, () => print('storm', 60)), print('other', 2)]);
  expect(finished.indexOf('other')).toBeLessThanOrEqual(2);
});

test('a customer whose documents take long comes after all others', async () => {
  open({ workers: 1 });
  const finished: string[] = [];
  const print = (customer: string, lines: number): Promise<void> =>
    renderer.render(customer, paperWithLines(lines)).then(() => void finished.push(customer));
  await print('heavy', 6000);
  const others = ['a', 'b', 'c', 'd'];
  await Promise.all([...[1, 2, 3].map(() => print('heavy', 2)), ...others.map((other) => print(other, 2))]);
  // The first one ran already when the others came.
  expect(finished.slice(2)).toEqual([...others, 'heavy', 'heavy']);
});

test('a customer who goes on asking while their share of the queue is full comes after all others', async () => {
  open({ workers: 1, queueSize: 8 });
  const finished: string[] = [];
  const print = (customer: string): Promise<void> =>
    renderer.render(customer, testPaper).then(() => void finished.push(customer));
  const running = renderer.render('first', endless);
  const greedy = [print('greedy'), print('greedy')];
  const refused = Array.from({ length: 200 }, () => reasonOf(renderer.render('greedy', testPaper)));
  expect(new Set(await Promise.all(refused))).toEqual(new Set(['busy']));
  const others = [print('a'), print('b')];
  process.kill(onlyPid(), 'SIGKILL');
  expect(await reasonOf(running)).toBe('crashed');
  await Promise.all([...greedy, ...others]);
  expect(finished).toEqual(['a', 'b', 'greedy', 'greedy']);
});

test('one customer never has all workers', async () => {
  open({ workers: 2 });
  const running = [renderer.render('a', endless), renderer.render('a', endless)];
  expect(isPdf(await renderer.render('b', testPaper))).toBe(true);
  for (const faulty of running) {
    process.kill(renderer.workerPids()[0] ?? 0, 'SIGKILL');
    expect(await reasonOf(faulty)).toBe('crashed');
  }
});

test('a render that exceeds its timeout is stopped, and the next one succeeds', async () => {
  // Long enough that a busy machine renders the next one within it.
  open({ timeoutMs: 8000, memoryBytes: 8192 * megabyte });
  const [stopped, next] = [renderer.render('a', paperWithLines(60_000)), renderer.render('a', testPaper)];
  expect(await reasonOf(stopped)).toBe('too-slow');
  expect(isPdf(await next)).toBe(true);
});

test('a render that exceeds its memory limit is stopped, and the next one succeeds', async () => {
  open({ memoryBytes: 256 * megabyte });
  const [stopped, next] = [renderer.render('a', endless), renderer.render('a', testPaper)];
  expect(await reasonOf(stopped)).toBe('too-large');
  expect(isPdf(await next)).toBe(true);
});

test('a worker that crashes fails only its own render and is replaced', async () => {
  open();
  const [dying, next] = [renderer.render('a', endless), renderer.render('b', testPaper)];
  const killed = onlyPid();
  process.kill(killed, 'SIGKILL');
  expect(await reasonOf(dying)).toBe('crashed');
  expect(isPdf(await next)).toBe(true);
  expect(onlyPid()).not.toBe(killed);
});

test('a document that the template cannot render fails alone, and its worker keeps running', async () => {
  open();
  await renderer.render('a', testPaper);
  const worker = onlyPid();
  const broken = { ...testPaper, brand: { accent: '#116644', logo: 'not an image' } };
  await expect(renderer.render('a', broken)).rejects.toThrow(/the template failed/);
  expect(isPdf(await renderer.render('a', testPaper))).toBe(true);
  expect(onlyPid()).toBe(worker);
});

test('a customer who fills their share of a full queue is refused, and makes room for one who has nothing queued', async () => {
  open({ queueSize: 8 });
  const running = renderer.render('a', endless);
  const first = renderer.render('a', testPaper);
  const newest = reasonOf(renderer.render('a', testPaper));
  expect(await reasonOf(renderer.render('a', testPaper))).toBe('busy');
  const others = ['b', 'b', 'c', 'c', 'd', 'd'].map((customer) => renderer.render(customer, testPaper));
  others.push(renderer.render('e', testPaper));
  expect(await newest).toBe('busy');
  expect(await reasonOf(renderer.render('a', testPaper))).toBe('busy');
  process.kill(onlyPid(), 'SIGKILL');
  expect(await reasonOf(running)).toBe('crashed');
  const rendered = await Promise.all([first, ...others]);
  expect(rendered.map(isPdf)).toEqual(rendered.map(() => true));
});

test('a document that waits too long in the queue is refused', async () => {
  open({ queueTimeoutMs: 200 });
  const running = renderer.render('a', endless);
  expect(await reasonOf(renderer.render('b', testPaper))).toBe('busy');
  process.kill(onlyPid(), 'SIGKILL');
  expect(await reasonOf(running)).toBe('crashed');
});

test('memory of rendered documents is freed', async () => {
  open();
  const paper = paperWithLines(500);
  for (let index = 0; index < 4; index += 1) {
    await renderer.render('a', { ...paper, number: `A${index}`, lines: paperWithLines(500 + index).lines ?? [] });
  }
  // 145 MB after one such document; if Typst's cache were kept, each further one would add 50 MB.
  expect(Number(statusOf(onlyPid(), 'VmRSS')) / 1024).toBeLessThan(230);
});

test('a worker that holds half of its memory limit is replaced', async () => {
  open({ memoryBytes: 200 * megabyte });
  await renderer.render('a', paperWithLines(500));
  expect(renderer.workerPids()).toEqual([]);
  expect(isPdf(await renderer.render('a', testPaper))).toBe(true);
});

test('an idle worker exits and frees its memory', async () => {
  open({ idleMs: 10 });
  await renderer.render('a', testPaper);
  const worker = onlyPid();
  await expect.poll(() => isRunning(worker)).toBe(false);
  expect(isPdf(await renderer.render('a', testPaper))).toBe(true);
});

test('stopping refuses queued documents and leaves no worker running', async () => {
  open();
  const rendering = [renderer.render('a', endless), renderer.render('a', testPaper)].map(reasonOf);
  const worker = onlyPid();
  await renderer.stop();
  expect(await Promise.all(rendering)).toEqual(['crashed', 'stopping']);
  expect(await reasonOf(renderer.render('a', testPaper))).toBe('stopping');
  await expect.poll(() => isRunning(worker)).toBe(false);
});
