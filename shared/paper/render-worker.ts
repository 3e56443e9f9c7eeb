import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { renderPdf } from '#shared/paper/render.ts';
import { preparingProgram, type WorkerMessage, workerTask } from '#shared/paper/worker-message.ts';
import { endingSignals } from '#shared/platform/process-life.ts';

/**
 * A render worker turns documents into PDFs, one at a time: it receives a `WorkerTask` over IPC and replies with a `WorkerMessage`.
 * It exits when its parent is gone. The parent stops it with SIGKILL, the only signal that interrupts native code.
 */
const niceness = Number(process.argv[2] ?? 0);

/** API calls have priority: Linux gives a process with a high nice value only the CPU time that others leave. */
function lowerPriority(): void {
  if (niceness === 0) return;
  setPriority(niceness);
  try {
    // Where Linux schedules by session (autogroup), the nice value above only applies inside this session.
    writeFileSync('/proc/self/autogroup', String(niceness));
  } catch {
    // No autogroup on this machine: the nice value is enough.
  }
}

/** If memory runs out, the kernel should kill a renderer before a database. */
function preferForOutOfMemoryKill(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Linux only.
  }
}

function send(message: WorkerMessage): void {
  process.send?.(message);
}

// A signal to the whole process group or service: the parent shuts down in order and lets this render finish.
for (const signal of endingSignals) process.on(signal, () => undefined);
process.on('disconnect', () => process.exit());
async function work(given: unknown): Promise<void> {
  try {
    const { data, program } = workerTask.parse(given);
    if (program === undefined) return send({ pdf: await renderPdf(data), rssBytes: process.memoryUsage.rss() });
    const { prepare } = preparingProgram.parse(await import(program));
    send({ prepared: await prepare(data), rssBytes: process.memoryUsage.rss() });
  } catch (error) {
    send({ fault: error instanceof Error ? error.message : String(error), rssBytes: process.memoryUsage.rss() });
  }
}

process.on('message', (given) => void work(given));
lowerPriority();
preferForOutOfMemoryKill();
send('ready');
