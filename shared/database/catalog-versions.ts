import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Log } from '#shared/platform/log.ts';
import { type AccessChange, catalogChannel, changeAccess } from './access.ts';
import type { Db, Tx } from './connect.ts';
import { databaseTime, later } from './expressions.ts';
import { transaction } from './transaction.ts';

/**
 * The catalogue, version by version (decision 040). A version is first stored and prepared by every living gateway, and
 * only then put into effect; so one that a gateway can't serve changes nothing.
 */

/** The files of a catalogue, by their path in its folder. */
export type CatalogFiles = ReadonlyMap<string, Buffer>;

/** Files without a fault (`SoundFiles` in catalog/catalog-files.ts): only these become a version. */
export type SoundCatalogFiles = CatalogFiles & { readonly isSound: true };

export interface CatalogVersion {
  version: number;
  /** SHA-256 of the list of its files, in hex. */
  sha256: string;
  createdAt: Date;
  author: string;
  reason: string;
  /** Null when it was never put into effect. */
  activeFrom: Date | null;
}

/** Who changes the catalogue, and why. */
export interface CatalogCause {
  author: string;
  reason: string;
}

/** Gateways could not prepare a version; the catalogue in effect stays. */
export class UnfitCatalog extends Error {}

const prepareWithinMs = 60_000;
/** How long a gateway that runs may be silent, on a machine that is very busy. */
const silentMs = 10_000;

const sha256 = (content: Buffer | string): Buffer => createHash('sha256').update(content).digest();

/** SHA-256 of the list of files, in the format of `sha256sum`, by path. */
export function catalogHash(files: CatalogFiles): string {
  const lines = [...files].map(([path, content]) => ({ path, line: `${sha256(content).toString('hex')}  ${path}\n` }));
  lines.sort((a, b) => (a.path < b.path ? -1 : 1));
  return sha256(lines.map(({ line }) => line).join('')).toString('hex');
}

/** The number of the version in effect; undefined before the first start. */
export async function newestCatalogVersion(db: Db | Tx): Promise<number | undefined> {
  const newest = await db
    .selectFrom('catalog_versions')
    .select('version')
    .where('active_from', 'is not', null)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return newest?.version;
}

/** A version that is being prepared at this moment, if there is one. */
export async function pendingCatalogVersion(db: Db): Promise<number | undefined> {
  const last = await db
    .selectFrom('catalog_versions')
    .select(['version', 'active_from', 'created_at', databaseTime.as('now')])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined || last.active_from !== null) return undefined;
  return last.now.getTime() - last.created_at.getTime() < prepareWithinMs ? last.version : undefined;
}

/** All versions, newest first. */
export async function listCatalogVersions(db: Db | Tx): Promise<CatalogVersion[]> {
  const rows = await db.selectFrom('catalog_versions').selectAll().orderBy('version', 'desc').execute();
  return rows.map((row) => ({
    version: row.version,
    sha256: row.sha256.toString('hex'),
    createdAt: row.created_at,
    author: row.author,
    reason: row.reason,
    activeFrom: row.active_from,
  }));
}

/** The files of a version; empty for one that does not exist. */
export async function readCatalogVersion(db: Db | Tx, version: number): Promise<CatalogFiles> {
  const rows = await db
    .selectFrom('catalog_version_files as entry')
    .innerJoin('catalog_files as file', 'file.sha256', 'entry.sha256')
    .select(['entry.path', 'file.content'])
    .where('entry.version', '=', version)
    .orderBy('entry.path')
    .execute();
  return new Map(rows.map(({ path, content }) => [path, content]));
}

/** Until the end of the transaction no version is stored or put into effect by another one. */
async function lockCatalog(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalog'))`.execute(tx);
}

/** The version in effect, which stays so until the end of the transaction: a sale is made under it. */
export async function holdCatalogVersion(tx: Tx): Promise<number | undefined> {
  await sql`select pg_advisory_xact_lock_shared(hashtext('catalog'))`.execute(tx);
  return newestCatalogVersion(tx);
}

async function storeVersion(tx: Tx, files: SoundCatalogFiles, { author, reason }: CatalogCause): Promise<number> {
  const last = await tx
    .selectFrom('catalog_versions')
    .select((each) => each.fn.coalesce(each.fn.max('version'), each.lit(0)).as('version'))
    .executeTakeFirstOrThrow();
  const version = last.version + 1;
  const hash = Buffer.from(catalogHash(files), 'hex');
  await tx
    .insertInto('catalog_versions')
    .values({ version, sha256: hash, created_at: databaseTime, author, reason, active_from: null })
    .execute();
  for (const [path, content] of files) {
    const contentHash = sha256(content);
    await tx
      .insertInto('catalog_files')
      .values({ sha256: contentHash, content })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await tx.insertInto('catalog_version_files').values({ version, path, sha256: contentHash }).execute();
  }
  return version;
}

const activate = (tx: Tx, version: number) =>
  tx.updateTable('catalog_versions').set({ active_from: databaseTime }).where('version', '=', version).execute();

/** At the first start: these files become version 1. Does nothing when there is a version. Returns the one in effect. */
export async function recordFirstCatalog(db: Db, files: SoundCatalogFiles, cause: CatalogCause): Promise<number> {
  return transaction(db, async (tx) => {
    await lockCatalog(tx);
    const newest = await newestCatalogVersion(tx);
    if (newest !== undefined) return newest;
    const version = await storeVersion(tx, files, cause);
    await activate(tx, version);
    return version;
  });
}

export interface AppliedCatalog {
  version: number;
  /** Null when every living gateway serves it; otherwise one has not confirmed, and follows when it reaches the database. */
  effectiveBy: string | null;
  /** How many prepared it. */
  gateways: number;
}

/**
 * Puts files into effect as a new version: stores it, waits until every gateway that runs has prepared it, and then switches them
 * all. Throws UnfitCatalog when one of them can't serve it. `record`: what else belongs to the change, in its transaction.
 */
export async function applyCatalog(
  context: { db: Db; log: Pick<Log, 'error'> },
  files: SoundCatalogFiles,
  cause: CatalogCause,
  record: (change: AccessChange, version: number) => Promise<void> = async () => {},
): Promise<AppliedCatalog> {
  const { db } = context;
  const version = await transaction(db, async (tx) => {
    await lockCatalog(tx);
    const stored = await storeVersion(tx, files, cause);
    await sql`select pg_notify(${catalogChannel}, ${`prepare ${stored}`})`.execute(tx);
    return stored;
  });
  const gateways = await awaitPrepared(db, version);
  const { effectiveBy } = await changeAccess(context, async (change) => {
    await lockCatalog(change.tx);
    const newest = await newestCatalogVersion(change.tx);
    if (newest !== undefined && newest > version)
      throw new UnfitCatalog(`Version ${newest} was applied meanwhile, so version ${version} was not. Compare again.`);
    await activate(change.tx, version);
    change.announceCatalog(version);
    await record(change, version);
  });
  return { version, effectiveBy, gateways };
}

/**
 * Waits for every gateway that was seen at the start or since, however silent it is: one that is busy with the version renews no lease.
 * Only one that has left is not waited for. Returns how many gateways prepared it.
 */
async function awaitPrepared(db: Db, version: number): Promise<number> {
  const deadline = performance.now() + prepareWithinMs;
  const seen = new Set<string>();
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    const gateways = (await readGateways(db)).filter(({ id, isHeard }) => isHeard || seen.has(id));
    for (const { id } of gateways) seen.add(id);
    const done = gateways.filter(({ prepared }) => prepared === version);
    const faults = new Set(done.flatMap(({ fault }) => (fault === null ? [] : [fault])));
    if (faults.size > 0)
      throw new UnfitCatalog(
        `Version ${version} was not applied, because a gateway cannot serve it:\n${[...faults].join('\n')}`,
      );
    // A gateway keeps only its last report, so what it said of this version is lost, a fault too.
    const newest = Math.max(0, ...gateways.map(({ prepared }) => prepared ?? 0));
    if (newest > version)
      throw new UnfitCatalog(
        `Version ${newest} was prepared meanwhile, so version ${version} was not applied. Compare again.`,
      );
    if (done.length === gateways.length) return done.length;
    if (performance.now() > deadline) {
      const silent = gateways.filter((one) => !done.includes(one)).map(({ id }) => id);
      throw new UnfitCatalog(
        `Version ${version} was not applied, because these gateways did not prepare it in time: ${silent.join(', ')}. ` +
          'One that was killed is not waited for 10 seconds later: apply again.',
      );
    }
    await sleep(pauseMs);
  }
}

/** The gateways that have not left, and whether each was heard of lately: one that only stands still for some seconds is among those. */
async function readGateways(db: Db) {
  return (
    db
      .selectFrom('gateways')
      .select((gateway) => [
        'journal_id as id',
        'prepared_version as prepared',
        'catalog_fault as fault',
        gateway
          .and([
            gateway('lease_until', '>', later(databaseTime, -silentMs)),
            gateway('catalog_version', 'is not', null),
          ])
          .as('isHeard'),
      ])
      // The lease of one that leaves ends at minus infinity, as does that of one that registers again, which serves nothing yet.
      .where((gateway) =>
        gateway.or([
          gateway('lease_until', '>', later(databaseTime, -60 * prepareWithinMs)),
          gateway('catalog_version', 'is', null),
        ]),
      )
      .orderBy('journal_id')
      .execute()
  );
}

/** What a gateway says about the catalogue. */
export async function reportCatalog(
  db: Db,
  journalId: string,
  report:
    | { catalog_version: number; products_fault: string | null }
    | { prepared_version: number; catalog_fault: string | null },
): Promise<void> {
  await db.updateTable('gateways').set(report).where('journal_id', '=', journalId).execute();
}
