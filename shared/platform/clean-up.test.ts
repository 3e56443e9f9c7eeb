import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { withCleanUp, withOpened } from './clean-up.ts';
import { bundleScript } from './test-script.ts';

/** Runs a process with this work, acts once it is up, and returns how it ended. */
async function run(body: string, act: (child: ChildProcess) => void) {
  const script = bundleScript(
    `import { cleanUpAll, withCleanUp } from '#shared/platform/clean-up.ts'; const say = (text) => process.stdout.write(text + '\\n');
     const work = async () => { say('up'); await new Promise((done) => setTimeout(done, 60_000)); }; ${body}`,
  );
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const up = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.startsWith('up\n')) resolve();
    });
  });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
  const ended = once(child, 'close');
  await Promise.race([up, ended]);
  act(child);
  const [code] = await ended;
  return { code: code as unknown, output, errors };
}

test('work is cleaned up after, whether it succeeds or fails', async () => {
  const seen: string[] = [];
  const clean = () => void seen.push('cleaned');
  expect(await withCleanUp(async () => 7, clean)).toBe(7);
  await expect(withCleanUp(() => Promise.reject(new Error('failed')), clean)).rejects.toThrow('failed');
  expect(seen).toEqual(['cleaned', 'cleaned']);
  expect(process.listenerCount('SIGHUP')).toBe(0);
});

test('what was opened is closed in reverse order, also when a later thing can’t be opened, or one can’t be closed', async () => {
  const seen: string[] = [];
  const result = withOpened(async (open) => {
    expect(await open(Promise.resolve('first'), (it) => void seen.push(it))).toBe('first');
    await open('second', () => Promise.reject(new Error('stuck')));
    await open('third', (it) => void seen.push(it));
    return open(Promise.reject(new Error('no fourth')), () => void seen.push('fourth'));
  });
  await expect(result).rejects.toThrow(/stuck|no fourth/);
  expect(seen).toEqual(['third', 'first']);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s cleans up the innermost work first, and exits with %i', async (signal, exitCode) => {
  const nested = `await withCleanUp(() => withCleanUp(work, async () => { await null; say('inner'); }), () => say('outer'));`;
  const { code, output, errors } = await run(nested, (child) => child.kill(signal));
  expect(errors).toBe('Stopping …\n');
  expect(output).toBe('up\ninner\nouter\n');
  expect(code).toBe(exitCode);
});

test('work that fails because its means were cleaned up reports nothing, and is not cleaned up twice', async () => {
  const failing = `let fail; const failed = new Promise((_, reject) => { fail = reject; });
    await withCleanUp(() => { void work(); return failed; }, async () => { fail(new Error('connection lost')); await null; say('cleaned'); });`;
  const { code, output, errors } = await run(failing, (child) => child.kill('SIGINT'));
  expect(errors).toBe('Stopping …\n');
  expect(output).toBe('up\ncleaned\n');
  expect(code).toBe(130);
});

test('a clean-up that fails is reported, and the others run', async () => {
  const failing = `await withCleanUp(() => withCleanUp(work, () => { throw new Error('the folder is busy'); }), () => say('outer'));`;
  const { code, output, errors } = await run(failing, (child) => child.kill('SIGINT'));
  expect(errors).toBe('Stopping …\nCould not clean up: the folder is busy\n');
  expect(output).toBe('up\nouter\n');
  expect(code).toBe(130);
});

test('a process that handles signals itself cleans up when it stops', async () => {
  const own = `process.on('SIGTERM', () => void cleanUpAll().then(() => process.exit(0)));
    await withCleanUp(work, async () => { await null; say('cleaned'); });`;
  const { code, output } = await run(own, (child) => child.kill('SIGTERM'));
  expect(output).toBe('up\ncleaned\n');
  expect(code).toBe(0);
});
