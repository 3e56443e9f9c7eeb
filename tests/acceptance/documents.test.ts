import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { transform } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { useLiveApis } from './live-apis.ts';

const live = useLiveApis();
const folder = mkdtempSync(join(tmpdir(), 'octroi-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The documents that customers read: of both APIs and of the gateway itself. */
const paths = ['/tax-lookup', '/gst-invoicing', ''];
const read = async (path: string): Promise<string> => {
  const response = await fetch(`${live().gateway.url}${path}/openapi.json`);
  expect(response.status).toBe(200);
  // Documents of a real gateway have a real address, which the rules ask for.
  return (await response.text()).replaceAll('http://localhost:4100', 'https://api.octroi.test');
};

test.each(paths)('the document at %s/openapi.json is clean under redocly’s recommended rules', async (path) => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: await read(path), absoluteRef: 'openapi.json', config });
  expect(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`),
  ).toEqual([]);
});

test.each(paths)('the document at %s/openapi.json is clean under spectral’s rules for OpenAPI', async (path) => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ ...spectralRulesets.oas, extends: [] });
  const problems = await spectral.run(await read(path));
  expect(problems.map(({ code, path: where, message }) => `${code} ${where.join('.')}: ${message}`)).toEqual([]);
});

const run = promisify(execFile);
const node = (...words: string[]): Promise<string> =>
  run(process.execPath, words, { cwd: folder }).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const { stdout, stderr } = z.object({ stdout: z.string(), stderr: z.string() }).parse(error);
      throw new Error(stdout + stderr);
    },
  );
const packageFile = (...parts: string[]) => projectFolder('node_modules', ...parts);

/** openapi-typescript prints types through the compiler's JavaScript interface, which TypeScript 7 no longer has. */
const withTypeScript5 = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module';
   const hook = 'export const resolve = (name, context, next) => next(name === "typescript" ? "typescript-5" : name, context)';
   register('data:text/javascript,' + encodeURIComponent(hook));`,
)}`;

/** A program that a customer would write, without types of its own. */
interface Client {
  name: string;
  path: '/tax-lookup' | '/gst-invoicing';
  calls: string;
}

const lookUpStates: Client = {
  name: 'look-up',
  path: '/tax-lookup',
  calls: `
const { data, error } = await client.GET('/v1/states');
if (data === undefined) throw new Error(error.detail);
const first: string | undefined = data.states[0]?.name;
const { data: rates } = await client.GET('/v1/hsn/{code}', { params: { path: { code: '1001' } } });
console.log(first, rates?.code);`,
};

const takeNumber = (name: string, body: string): Client => ({
  name,
  path: '/gst-invoicing',
  calls: `
const { data, error } = await client.POST('/v1/numbers', { params: { header: { 'idempotency-key': '${name}' } }, body: ${body} });
if (data === undefined) throw new Error(error.detail);
console.log(data.number);`,
});

const invoicing = takeNumber('invoicing', `{ series: 'CLI', type: 'INV', date: '2026-11-23', startAt: 7 }`);
const omitting = takeNumber('omitting', `{ series: 'OMI', date: '2026-11-23' }`);

beforeAll(async () => {
  symlinkSync(projectFolder('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  await generate(lookUpStates);
  await generate(invoicing);
  await generate(omitting, '--default-non-nullable=false');
});

async function generate({ name, path, calls }: Client, ...options: string[]): Promise<void> {
  const { gateway, ...apis } = live();
  writeFileSync(join(folder, `${name}.json`), await read(path));
  const generator = packageFile('openapi-typescript', 'bin', 'cli.js');
  await node('--import', withTypeScript5, generator, `${name}.json`, ...options, '-o', `${name}.ts`);
  const { key } = path === '/tax-lookup' ? apis.lookUp : apis.invoicing;
  const client = `import createClient from 'openapi-fetch';
import type { paths } from './${name}.js';
const client = createClient<paths>({ baseUrl: '${gateway.url}${path}', headers: { 'X-API-Key': '${key}' } });
${calls}
`;
  writeFileSync(join(folder, `${name}-client.ts`), client);
  writeFileSync(join(folder, `${name}-client.js`), (await transform(client, { loader: 'ts' })).code);
}

/** What the compiler says of clients: nothing when it finds no fault. */
function compile(compiler: 'typescript' | 'typescript-5', ...clients: Client[]): Promise<string> {
  // Without `types` the compiler would check those of every package of this project, which is most of its time.
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  return node(packageFile(compiler, 'bin', 'tsc'), ...options, ...clients.map(({ name }) => `${name}-client.ts`));
}

const runClient = ({ name }: Client): Promise<string> => node(`${name}-client.js`);

test('clients that openapi-typescript generates from our documents compile with the defaults and call the APIs', async () => {
  expect(await compile('typescript', lookUpStates, invoicing)).toBe('');
  expect(await runClient(lookUpStates)).toBe('Jammu and Kashmir 1001\n');
  expect(await runClient(invoicing)).toMatch(/^CLI.*7\n$/);
});

test('the same clients compile with TypeScript 5', async () => {
  expect(await compile('typescript-5', lookUpStates, invoicing)).toBe('');
});

test('a client leaves out fields with a default when it is generated with --default-non-nullable=false', async () => {
  expect(await compile('typescript', omitting)).toBe('');
  expect(await runClient(omitting)).toMatch(/^OMI.*1\n$/);
});
