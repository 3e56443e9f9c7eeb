import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { secretFiles } from '#catalog/gateway-options.ts';
import { clusterFolder } from '#shared/database/embedded-place.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';
import { secretPlaces } from '#gateway/config.ts';
import type { Shortcut } from '#gateway/node/shortcut.ts';
import { checkShortcuts, shortcuts } from '#gateway/node/shortcuts.ts';
import { nodeVersionFault } from '#ship/launch/node-version.mjs';
import { fontFolders } from '#shared/paper/fonts.ts';

export function nodeVersion(version = process.versions.node): Check {
  return {
    name: 'node',
    about: 'the version of Node.js',
    examine: () => {
      const found = nodeVersionFault(version);
      if (found === undefined) return [fine(`Node ${version}`)];
      return [fault(found, 'Octroi is not tried on it, and may not start.', 'Install Node 22 or 24, and start again.')];
    },
  };
}

export function nodeFacilities(used: readonly Shortcut[] = shortcuts): Check {
  return {
    name: 'node-facilities',
    about: 'the undocumented parts of Node.js that make the gateway faster',
    examine: async ({ gateway }) => {
      if (gateway.nodeShortcuts === 'off') return [unchecked('NODE_SHORTCUTS is off.')];
      const failing = await checkShortcuts(used);
      if (failing.length === 0) return [fine(`All ${used.length} work as expected.`)];
      return failing.map(({ name, fallback }) =>
        warning(
          `${name} does not work on Node ${process.versions.node}.`,
          `The gateway uses its fallback: ${fallback}. Nothing is lost but speed.`,
          'Use the newest version of Node 22 or 24, or update Octroi.',
        ),
      );
    },
  };
}

const gigabyte = 1024 ** 3;

/** `leastBytes`: less is a fault. */
export function diskSpace(leastBytes = gigabyte): Check {
  return {
    name: 'disk',
    about: 'free space for the database, the journal, the logs and the backups',
    examine: (installation) => {
      const folders = foldersOf(installation);
      if (folders.length === 0) return [unchecked('There is no folder yet.')];
      return Promise.all(folders.map((folder) => spaceOf(folder, leastBytes)));
    },
  };
}

function foldersOf({ dataDir, journalDir, backup }: Installation): string[] {
  const cluster = clusterFolder(dataDir);
  const folders = [dataDir, cluster, journalDir, backup.backupDir];
  const there = folders.filter((folder) => folder !== undefined && existsSync(folder)).map(String);
  // One line for each file system.
  return [...new Map(there.map((folder) => [statSync(folder).dev, folder])).values()];
}

async function spaceOf(folder: string, leastBytes: number): Promise<Finding> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const share = blocks === 0 ? 0 : (bavail / blocks) * 100;
  const found = `${(free / gigabyte).toFixed(1)} GB (${share.toFixed(0)} %) are free in ${folder}.`;
  const means = 'When the disk is full, PostgreSQL stops, and the gateway refuses calls that it cannot write down.';
  const remedy = 'Make room, or move DATA_DIR, JOURNAL_DIR or BACKUP_DIR to a larger disk.';
  if (free < leastBytes) return fault(found, means, remedy);
  return share < 5 ? warning(found, means, remedy) : fine(found);
}

/** Files with secrets, and whether others may read them. */
export const fileModes: Check = {
  name: 'file-modes',
  about: 'files with secrets, also of APIs, and DATA_DIR: may other users of the machine read or replace them?',
  examine: ({ envFile, dataDir, portal, catalog, env }) => {
    const { folder } = secretPlaces({ env });
    const ofApis = catalog?.products.flatMap(({ gateway }) => secretFiles(gateway)) ?? [];
    const files = new Set([
      envFile,
      join(dataDir, 'postgres-password'),
      portal.signingCertificate,
      ...ofApis.map((name) => join(folder, name)),
    ]);
    const there = [...files].filter((file) => file !== undefined && existsSync(file)).map(String);
    const open = openFolder(dataDir);
    if (there.length === 0 && open.length === 0) return [unchecked('There is no file with secrets.')];
    const findings = there.map((file) => {
      const mode = statSync(file).mode & 0o777;
      const found = `${file} has the mode ${mode.toString(8).padStart(4, '0')}.`;
      if ((mode & 0o077) === 0) return fine(found);
      return fault(found, 'Other users of this machine can read the secrets in it.', `chmod 600 ${file}`);
    });
    return [...findings, ...open];
  },
};

/** Who may write to a folder may replace what is in it. */
function openFolder(folder: string): Finding[] {
  const mode = existsSync(folder) ? statSync(folder).mode & 0o777 : 0;
  if ((mode & 0o002) === 0) return [];
  return [
    fault(
      `DATA_DIR, ${folder}, has the mode ${mode.toString(8).padStart(4, '0')}.`,
      'Other users of this machine can replace the database, journals and keys in it.',
      `chmod 700 ${folder}`,
    ),
  ];
}

export function fonts(folders: readonly string[] = fontFolders): Check {
  return {
    name: 'fonts',
    about: 'the fonts of invoices, for every script that a name may use',
    examine: () => {
      const missing = folders.filter((folder) => !existsSync(folder));
      if (missing.length === 0) return [fine(`All ${folders.length} are there.`)];
      return missing.map((folder) =>
        fault(`${folder} is missing.`, 'Documents show boxes instead of letters.', 'Install Octroi again: npm ci'),
      );
    },
  };
}
