import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { renderPdf } from '#paper/render.ts';
import type { WorkerMessage } from '#paper/worker-message.ts';

/**
 * The process that turns documents into PDFs, one at a time: takes a `DocumentPaper` as JSON over IPC and answers each with a
 * `WorkerMessage`. It ends when its parent is gone; the parent ends it with SIGKILL, the only signal that stops native code.
 */
const niceness = Number(process.argv[2] ?? 0);

/** Paying callers come first: Linux gives a nice process the processor only when others leave it. */
function lowerPriority(): void {
  if (niceness === 0) return;
  setPriority(niceness);
  try {
    // Where Linux groups processes by session, the nice value above counts inside this session only.
    writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // Not grouped here: the nice value counts by itself.
  }
}

/** Should memory run out, the kernel ends a render before it ends a database. */
function offerToOutOfMemoryKiller(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Only Linux has it.
  }
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

// A signal to the whole group or service: the parent ends first, in order, and lets this render finish.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
process.on('message', (data) => {
  try {
    const pdf = renderPdf(String(data));
    send({ pdf, rssBytes: process.memoryUsage.rss() });
  } catch (error) {
    send({ fault: error instanceof Error ? error.message : String(error), rssBytes: process.memoryUsage.rss() });
  }
});
lowerPriority();
offerToOutOfMemoryKiller();
send('ready');
