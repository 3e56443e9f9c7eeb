import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { bundleScript } from '#shared/platform/test-script.ts';

test('a benchmark that is ended by a signal leaves nothing behind, stopped or in a session of its own', async () => {
  const program = bundleScript(`
    import { spawn } from 'node:child_process';
    import { freeze, startProgram } from '#tests/bench/gateway/processes.ts';
    const { pid } = startProgram(0, 'sh', ['-c', 'sleep 600; true']);
    const own = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    own.unref();
    await new Promise((resolve) => setTimeout(resolve, 100));
    freeze([pid, own.pid]);
    process.stdout.write(pid + ' ' + own.pid);
    process.kill(process.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 60_000));`);
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const pids = (await text(child.stdout)).split(' ');
  await ended;
  expect(pids).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
  await expect.poll(() => pids.filter((pid) => existsSync(`/proc/${pid}`)), { timeout: 60_000 }).toEqual([]);
});
