import { CatalogFaults } from '#catalog/catalog.ts';
import { SoundFiles } from '#catalog/catalog-files.ts';
import { pricesIn } from '#catalog/prices.ts';
import type { OperatorInput, OperatorReply } from '#shared/contract/operator/calls.ts';
import type { SaidRefusalCode } from '#shared/contract/operator-refusals.ts';
import type { catalogCalls } from '#shared/contract/operator/catalog.ts';
import {
  type AppliedCatalog,
  type CatalogVersion,
  newestCatalogVersion,
  readCatalogVersion,
  UnfitCatalog,
} from '#shared/database/catalog-versions.ts';
import type { Db } from '#shared/database/connect.ts';
import { createLog } from '#shared/platform/log.ts';
import type { OperatorCause } from '#server/audit-log/audit-log.ts';
import { type CatalogProposal, propose } from '#server/catalog-proposal.ts';
import {
  applyProposal,
  changedMeanwhile,
  type CatalogAction,
  proposeVersion,
  readHistory,
  readVersion,
} from '#server/catalog-versions.ts';
import type { Handlers } from '#server/operator-handler.ts';
import { OperatorRefusal } from '#server/refusals/operator-refusal.ts';
import { draftFor } from './draft.ts';

export const catalogHandlers: Handlers<typeof catalogCalls> = {
  listCatalogVersions: {
    read: async ({ db }) => ({
      versions: (await readHistory(db)).map(described),
      inEffect: (await newestCatalogVersion(db)) ?? null,
    }),
  },
  readCatalogVersion: {
    read: async ({ db }, { version, contents }) => {
      const { files, ...found } = await readVersion(db, version);
      return {
        ...described(found),
        files: [...files].map(([path, content]) => ({
          path,
          bytes: content.length,
          content: contents === undefined || contents.includes(path) ? content.toString('base64') : null,
        })),
        prices: [...pricesIn(files).values()],
      };
    },
  },
  draftProduct: { read: ({ db }, input) => draftFor(db, input) },
  applyCatalog: {
    needs: 'database',
    preview: async ({ db }, input) => replyOf(await proposeFiles(db, input), null),
    perform: ({ db }, input, cause) => perform(db, () => proposeFiles(db, input), cause, 'catalog.apply'),
  },
  revertCatalog: {
    needs: 'database',
    preview: async ({ db }, input) => replyOf(await proposeEarlier(db, input), null),
    perform: ({ db }, input, cause) => perform(db, () => proposeEarlier(db, input), cause, 'catalog.revert'),
  },
};

function described({ version, createdAt, author, reason, activeFrom }: CatalogVersion) {
  return {
    version,
    createdAt: createdAt.toISOString(),
    author,
    reason,
    activeFrom: activeFrom?.toISOString() ?? null,
  };
}

/** The whole catalogue, or the version in effect with some files changed. */
async function proposeFiles(
  db: Db,
  { comparedWith, whole, files, removed = [] }: OperatorInput<'applyCatalog'>,
): Promise<CatalogProposal> {
  const all = new Map(whole || comparedWith === null ? [] : await readCatalogVersion(db, comparedWith));
  for (const path of removed) all.delete(path);
  for (const { path, content } of files) all.set(path, Buffer.from(content, 'base64'));
  return orFaults(comparedWith, async () => propose(db, await SoundFiles.of(all)), 'invalid_request');
}

const proposeEarlier = (db: Db, { version, comparedWith }: OperatorInput<'revertCatalog'>) =>
  orFaults(comparedWith, () => proposeVersion(db, version));

/** A proposal against the version that was shown; faults of files are a refusal that lists them. */
async function orFaults(
  comparedWith: number | null,
  work: () => Promise<CatalogProposal>,
  code: SaidRefusalCode = 'refused',
): Promise<CatalogProposal> {
  try {
    const proposal = await work();
    if ((proposal.before ?? null) !== comparedWith) throw changedMeanwhile();
    return proposal;
  } catch (error) {
    if (!(error instanceof CatalogFaults)) throw error;
    throw new OperatorRefusal(`The catalogue has faults, so nothing was changed.\n${error.faults.join('\n')}`, code);
  }
}

async function perform(
  db: Db,
  read: () => Promise<CatalogProposal>,
  cause: OperatorCause,
  action: CatalogAction,
): Promise<OperatorReply<'applyCatalog'>> {
  const proposal = await read();
  if (proposal.isSame) throw new OperatorRefusal('This is in effect already, to the letter.', 'nothing_to_change');
  const log = createLog('operator', { level: 'error' });
  const applied = await applyProposal({ db, log }, proposal, cause, action).catch((error: unknown) => {
    throw error instanceof UnfitCatalog ? new OperatorRefusal(error.message) : error;
  });
  return replyOf(proposal, applied);
}

function replyOf(
  { before, isSame, changes, prices, unreadable }: CatalogProposal,
  applied: AppliedCatalog | null,
): OperatorReply<'applyCatalog'> {
  return {
    version: applied?.version ?? null,
    before: before ?? null,
    isSame,
    changes,
    prices,
    unreadable: [...unreadable],
    everywhere: applied === null || applied.gateways === 0 ? null : applied.effectiveBy === null,
  };
}
