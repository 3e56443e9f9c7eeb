import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { projectFolder } from '#shared/platform/project-folder.ts';

export interface RunningProgram {
  child: ChildProcess;
  output: () => string;
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
}

/** Bundles the real programs (`server/main.ts`) as the build does, into a folder of this test run. */
export async function bundlePrograms(...files: string[]): Promise<(file: string) => string> {
  const outdir = projectFolder('node_modules', '.cache', 'octroi', `programs-${process.pid}-${Date.now()}`);
  await build({
    absWorkingDir: projectFolder(),
    entryPoints: files,
    outdir,
    outbase: projectFolder(),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  process.on('exit', () => rmSync(outdir, { recursive: true, force: true }));
  return (file) => join(outdir, file.replace(/\.ts$/, '.mjs'));
}

/** Starts a program in its own process, with only the given environment. */
export function spawnProgram(script: string, env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [script], {
    cwd: projectFolder(),
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  return { child, output: () => output, ended };
}
