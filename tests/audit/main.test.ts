import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { endingSignals } from '#shared/platform/process-life.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'octroi-audit-main-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** In place of the programs that it would build, work that says that it is under way, and never ends. */
const programs = `export const octroiScript = () => '';
export const buildPrograms = () => { process.stdout.write('up'); return new Promise((done) => setTimeout(done, 600_000)); };`;
const inUrl = (code: string): string => JSON.stringify(`data:text/javascript,${encodeURIComponent(code)}`);
const hooks = `export const resolve = (name, context, next) => name === '#tests/audit/world/programs.ts'
  ? { url: ${inUrl(programs)}, format: 'module', shortCircuit: true } : next(name, context);`;

test.each(endingSignals)('%s stops an audit in order, with the exit code of a shell', async (signal) => {
  const hook = join(folder, 'hooks.mjs');
  writeFileSync(hook, `import { register } from 'node:module'; register(${inUrl(hooks)});`);
  const words = ['--import', 'tsx', '--import', pathToFileURL(hook).href, projectFolder('tests', 'audit', 'main.ts')];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => void (errors += chunk.toString()));
  const ended = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), ended]);
  child.kill(signal);
  const [code] = await ended;
  expect(errors).toContain('Stopping …\n');
  expect(code).toBe({ SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }[signal]);
});
