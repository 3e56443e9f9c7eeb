import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { isAlive } from '#shared/database/postmaster.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { createTestProject, type TestProject } from './test-project.ts';

let project: TestProject;
beforeAll(async () => {
  project = await createTestProject();
  const about: unknown = JSON.parse(readFileSync(projectFolder('package.json'), 'utf8'));
  const { start } = z.object({ scripts: z.object({ start: z.string() }) }).parse(about).scripts;
  // The script of `npm start` as it is, without installing and building.
  const scripts = { start: start.replace('ship/launch/start.mjs', 'build/launch.js') };
  writeFileSync(join(project.folder, 'package.json'), JSON.stringify({ type: 'module', version: '0.0.0', scripts }));
});
afterAll(() => project.remove());

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm start stops the launcher, every process and PostgreSQL',
  async (signal) => {
    const npm = spawn('npm', ['start', '--', ...project.flags], {
      cwd: project.folder,
      env: { PATH: process.env['PATH'], HOME: project.folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => npm.once('exit', resolve));
    let output = '';
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const isRunning = () => {
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}: ${output}`);
      return output.includes('Octroi is running');
    };
    await vi.waitUntil(isRunning, { timeout: 120_000, interval: 50 }).catch((error: unknown) => {
      throw new Error(`npm start printed so far: ${output}`, { cause: error });
    });

    const inData = (...parts: string[]) => join(project.folder, 'data', ...parts);
    const processes = readFileSync(inData('processes'), 'utf8').trim().split('\n').map(Number);
    const postmaster = Number(readFileSync(inData('postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
    const all = [...processes, postmaster];
    expect(all).toHaveLength(5);
    expect(all.filter(isAlive)).toEqual(all);

    npm.kill(signal);
    await ended;
    await vi.waitUntil(() => !all.some(isAlive), { timeout: 60_000, interval: 50 });
    expect(existsSync(inData('processes'))).toBe(false);
  },
  180_000,
);
