import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CatalogFaults } from '#catalog/catalog.ts';
import type { CatalogChange } from '#catalog/compare-catalogs.ts';
import { UnfitCatalog } from '#shared/database/catalog-versions.ts';
import { CommandFailed, exitCodes, printResult } from '#cli/command-result.ts';
import { type ActionOptions, causeOf, confirm, showEffect } from '#cli/operator.ts';
import type { Db } from '#shared/database/connect.ts';
import { istTime } from '#shared/domain/day.ts';
import { createLog } from '#shared/platform/log.ts';
import { makeFolder, makeWritableFolder } from '#shared/platform/make-folder.ts';
import { refuseReleaseFolder } from '#shared/platform/release-folder.ts';
import { asReader } from '#server/operator-context.ts';
import { type CatalogProposal, proposeFolder } from '#server/catalog-proposal.ts';
import { applyProposal, proposeVersion, readHistory, readVersion } from '#server/catalog-versions.ts';

/** `octroi catalog apply`: puts the files of a folder into effect in the running portals and gateways. */
export async function applyFolder(options: ActionOptions & { folder: string }): Promise<void> {
  await applyWith(options, (db) => proposeFolder(db, options.folder));
}

/** `octroi catalog revert`: puts an earlier version into effect again, as a new one. */
export async function revertTo(version: string, options: ActionOptions): Promise<void> {
  await applyWith(options, (db) => proposeVersion(db, versionNumber(version)));
}

async function applyWith(options: ActionOptions, propose: (db: Db) => Promise<CatalogProposal>): Promise<void> {
  await asReader(async (db) => {
    const proposal = await propose(db).catch(faultsEndIt(options.json));
    const { before, changes, prices, isSame, unreadable } = proposal;
    const lines = describeProposal(proposal);
    if (isSame || options.dryRun === true) {
      printResult(options.json, { applied: false, before: before ?? null, changes, prices, unreadable }, lines);
      return;
    }
    showEffect(lines, options);
    await confirm('Put these changes into effect?', options);
    const { version, effectiveBy } = await applyProposal(
      { db, log: createLog('operator', { level: 'error' }) },
      proposal,
      causeOf(options),
    ).catch((error: unknown) => {
      throw error instanceof UnfitCatalog ? new CommandFailed(error.message) : error;
    });
    const result = {
      applied: true,
      version,
      before: before ?? null,
      changes,
      prices,
      everywhere: effectiveBy === null,
    };
    printResult(options.json, result, [
      ...(options.yes === true ? lines : []),
      effectiveBy === null
        ? `Version ${version} is in effect in every gateway.`
        : `Version ${version} is in effect. A gateway has not confirmed it; it follows when it reaches the database again.`,
    ]);
  });
}

function faultsEndIt(json: boolean | undefined) {
  return (error: unknown): never => {
    if (!(error instanceof CatalogFaults)) throw error;
    printResult(json, { faults: error.faults }, error.faults);
    throw new CommandFailed('The catalogue has faults, so nothing was changed.', exitCodes.faults);
  };
}

/** Changes as lines, each with who notices it. */
export function describeChanges(changes: readonly CatalogChange[]): string[] {
  if (changes.length === 0) return ['Only comments, order or files that no product uses have changed.'];
  return changes.map(({ product, change, affects }) => `${product}: ${change}\n    ${affects}`);
}

/** What a proposal changes, and why that can't be said where the version in effect can't be read. */
export function describeProposal({ before, changes, isSame, unreadable }: CatalogProposal): string[] {
  if (isSame) return ['No changes.'];
  if (unreadable.length === 0) return describeChanges(changes);
  return [
    `Version ${before}, which is in effect, can't be read by this version of Octroi, so only prices are compared:`,
    ...unreadable.map((each) => `  ${each}`),
    ...(changes.length === 0 ? ['No price changes.'] : describeChanges(changes)),
  ];
}

/** `octroi catalog history`: every version, with its author and reason. */
export async function showHistory({ json }: { json?: boolean }): Promise<void> {
  const versions = await asReader(readHistory);
  const newest = versions.find(({ activeFrom }) => activeFrom !== null)?.version;
  printResult(
    json,
    { versions },
    versions.length === 0
      ? ['No version yet: the first start records version 1.']
      : versions.map(({ version, createdAt, author, reason, activeFrom }) => {
          const mark = activeFrom === null ? 'not applied' : version === newest ? 'in effect' : '';
          return `${String(version).padStart(4)}  ${istTime(createdAt)}  ${author}  ${reason}  ${mark}`.trimEnd();
        }),
  );
}

/** `octroi catalog show`: the files of a version; writes them into a folder. */
export async function showVersion(asked: string, { json, to }: { json?: boolean; to?: string }): Promise<void> {
  if (to !== undefined) {
    refuseReleaseFolder(to, process.env);
    makeWritableFolder(to);
  }
  const { files, ...version } = await asReader((db) => readVersion(db, versionNumber(asked)));
  if (to !== undefined) {
    for (const [path, content] of files) {
      makeFolder(dirname(join(to, path)));
      writeFileSync(join(to, path), content);
    }
  }
  const listed = [...files].map(([path, content]) => ({ path, bytes: content.length }));
  printResult(json, { ...version, files: listed }, [
    `Version ${version.version} of ${istTime(version.createdAt)} by ${version.author}: ${version.reason}`,
    ...listed.map(({ path, bytes }) => `  ${path}  ${bytes} bytes`),
    ...(to === undefined ? [] : [`Written to ${to}.`]),
  ]);
}

function versionNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CommandFailed(`${text} is not the number of a version.`, exitCodes.usage);
  return Number(text);
}
