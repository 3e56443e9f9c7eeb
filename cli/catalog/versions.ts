import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CatalogFaults } from '#catalog/catalog.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import type { CatalogChange } from '#catalog/compare-catalogs.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { act, type ActionOptions, ask, show } from '#cli/operator.ts';
import type { OperatorReply } from '#shared/contract/operator/calls.ts';
import {
  applyCatalog,
  listCatalogVersions,
  readCatalogVersion,
  revertCatalog,
} from '#shared/contract/operator/catalog.ts';
import { istTime } from '#shared/domain/day.ts';
import { makeFolder, makeWritableFolder } from '#shared/platform/make-folder.ts';
import { refuseReleaseFolder } from '#shared/platform/release-folder.ts';
import type { CatalogProposal } from '#server/catalog-proposal.ts';

/** `octroi catalog apply`: puts the files of a folder into effect in the running portals and gateways. */
export async function applyFolder(options: ActionOptions & { folder: string }): Promise<void> {
  const files = await soundFiles(options.folder, options.json);
  const input = {
    comparedWith: await versionInEffect(),
    whole: true,
    files: [...files].map(([path, content]) => ({ path, content: content.toString('base64') })),
  };
  await act(applyCatalog, input, options, words);
}

/** `octroi catalog revert`: puts an earlier version into effect again, as a new one. */
export async function revertTo(asked: string, options: ActionOptions): Promise<void> {
  const version = versionNumber(asked);
  await act(revertCatalog, { version, comparedWith: await versionInEffect() }, options, words);
}

/** What the change is shown against, and then applied to. */
const versionInEffect = async () => (await ask(listCatalogVersions, {})).inEffect;

const words = {
  did: 'applied',
  effect: describeProposal,
  question: 'Put these changes into effect?',
  isDone: ({ isSame }: Applied) => isSame,
  done: (reply: Applied) =>
    reply.isSame
      ? ['No changes.']
      : [
          ...describeProposal(reply),
          reply.everywhere === null
            ? `Version ${reply.version} is on sale. No gateway runs; one that starts serves it.`
            : reply.everywhere
              ? `Version ${reply.version} is in effect in every gateway.`
              : `Version ${reply.version} is in effect. A gateway has not confirmed it; it follows when it reaches the database again.`,
        ],
};
type Applied = OperatorReply<'applyCatalog'>;

/** The files of a folder; prints their faults and ends the command. */
async function soundFiles(folder: string, json: boolean | undefined): Promise<SoundFiles> {
  try {
    return await SoundFiles.in(folder);
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    printResult(json, { faults: error.faults }, error.faults);
    throw new CommandFailed('The catalogue has faults, so nothing was changed.', exitCodes.faults);
  }
}

/** Changes as lines, each with who notices it. */
export function describeChanges(changes: readonly CatalogChange[]): string[] {
  if (changes.length === 0) return ['Only comments, order or files that no product uses have changed.'];
  return changes.map(({ product, change, affects }) => `${product}: ${change}\n    ${affects}`);
}

/** What a proposal changes, and why that can't be said where the version in effect can't be read. */
export function describeProposal({
  before,
  changes,
  isSame,
  unreadable,
}: Pick<CatalogProposal, 'changes' | 'isSame' | 'unreadable'> & { before: number | null | undefined }): string[] {
  if (isSame) return ['No changes.'];
  if (unreadable.length === 0) return describeChanges(changes);
  return [
    `Version ${before}, which is in effect, can't be read by this version of Octroi, so only prices are compared:`,
    ...unreadable.map((each) => `  ${each}`),
    ...(changes.length === 0 ? ['No price changes.'] : describeChanges(changes)),
  ];
}

/** `octroi catalog history`: every version, with its author and reason. */
export async function showHistory(options: { json?: boolean }): Promise<void> {
  await show(listCatalogVersions, {}, options, ({ versions, inEffect }) =>
    versions.length === 0
      ? ['No version yet: the first start records version 1.']
      : versions.map(({ version, createdAt, author, reason, activeFrom }) => {
          const mark = activeFrom === null ? 'not applied' : version === inEffect ? 'in effect' : '';
          return `${String(version).padStart(4)}  ${istTime(new Date(createdAt))}  ${author}  ${reason}  ${mark}`.trimEnd();
        }),
  );
}

/** `octroi catalog show`: the files of a version; writes them into a folder. */
export async function showVersion(asked: string, { json, to }: { json?: boolean; to?: string }): Promise<void> {
  if (to !== undefined) {
    refuseReleaseFolder(to, process.env);
    makeWritableFolder(to);
  }
  const { files, ...version } = await ask(readCatalogVersion, { version: versionNumber(asked) });
  const contents = files.map(({ path, content }) => ({ path, content: Buffer.from(content ?? '', 'base64') }));
  if (to !== undefined) {
    for (const { path, content } of contents) {
      makeFolder(dirname(join(to, path)));
      writeFileSync(join(to, path), content);
    }
  }
  const listed = contents.map(({ path, content }) => ({ path, bytes: content.length }));
  printResult(json, { ...version, files: listed }, [
    `Version ${version.version} of ${istTime(new Date(version.createdAt))} by ${version.author}: ${version.reason}`,
    ...listed.map(({ path, bytes }) => `  ${path}  ${bytes} bytes`),
    ...(to === undefined ? [] : [`Written to ${to}.`]),
  ]);
}

function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommandFailed(`${text} is not the number of a version.`, exitCodes.usage);
  return Number(text);
}
