import { fork } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { catalogOf, CatalogFaults, isProductFile } from '#catalog/catalog.ts';
import type { ImportChoices } from '#catalog/import-openapi.ts';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import { draftProduct } from '#shared/contract/operator/catalog.ts';
import { newestCatalogVersion, readCatalogVersion } from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';

type Input = OperatorInput<'draftProduct'>;

/** A product made from an OpenAPI document, behind those that are on sale. */
export async function draftFor(db: Db, { document, ...given }: Input): Promise<OperatorReply<'draftProduct'>> {
  const version = await newestCatalogVersion(db);
  const files = version === undefined ? new Map<string, Buffer>() : await readCatalogVersion(db, version);
  const answer = await draftElsewhere(document, { ...given, position: nextPosition(files) });
  if ('fault' in answer) throw new OperatorRefusal(answer.fault, 'invalid_request');
  const taken = answer.draft.files.find(({ path }) => files.has(path));
  if (taken !== undefined)
    throw new OperatorRefusal(`${taken.path} is in the catalogue already. Choose another id, or change that file.`);
  return answer.draft;
}

function nextPosition(files: ReadonlyMap<string, Buffer>): number {
  try {
    return Math.max(0, ...catalogOf(files).products.map(({ position }) => position)) + 1;
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    return [...files.keys()].filter(isProductFile).length + 1;
  }
}

// From source the worker runs through tsx; in a build it is its own bundle (ship/launch/build.mjs).
const worker = import.meta.url.endsWith('.ts')
  ? { script: join(import.meta.dirname, 'draft-worker.ts'), execArgv: ['--import', 'tsx'] }
  : { script: join(import.meta.dirname, 'draft-worker.js'), execArgv: [] };

const timeoutMs = 25_000;
const maxMemoryMb = 1024;
const answerSchema = z.union([z.object({ draft: draftProduct.reply }), z.object({ fault: z.string() })]);

/** In a process of its own: a large document takes seconds, in which the portal would serve nobody. */
async function draftElsewhere(document: string, choices: ImportChoices): Promise<z.output<typeof answerSchema>> {
  const child = fork(worker.script, [], {
    cwd: projectFolder(),
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'] },
    execArgv: [...worker.execArgv, `--max-old-space-size=${maxMemoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const tooMuch = 'The document is too large to be read here. Import it with: octroi catalog import';
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const give = () => reject(new OperatorRefusal(tooMuch, 'invalid_request'));
      child.on('message', (message) => {
        if (message !== 'ready') return resolve(answerSchema.parse(message));
        timer = setTimeout(give, timeoutMs);
        child.send({ document, choices });
      });
      child.once('error', reject);
      child.once('exit', give);
    });
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}
