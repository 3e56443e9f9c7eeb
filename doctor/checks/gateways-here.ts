import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { type GatewayProcess, gatewayProcessesHere } from '#doctor/gateway-processes.ts';
import type { Installation } from '#doctor/installation.ts';
import { runningGateways } from '#doctor/probe.ts';

/** Each call may hold a connection of the caller and one of the API; there are files, and PostgreSQL, too. */
const leastOpen = 4096;

export const gatewaysHere: Check = {
  name: 'gateways-here',
  about: 'the gateways on this machine: an ACCESS_LOG each, journals that are backed up, and enough open files',
  examine: async (installation) => {
    const { db } = installation;
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const running = await runningGateways(db);
    const here = gatewayProcessesHere(new Set(running.map(({ id }) => id)));
    if (here.length === 0) return [unchecked('No gateway is seen on this machine, or it belongs to another user.')];
    const findings = [
      ...sharedLog(installation, here),
      ...missingJournals(installation, here),
      ...here.flatMap(fewFiles),
    ];
    return findings.length > 0 ? findings : [fine(`${here.length} gateways run here.`)];
  },
};

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : resolve(path));

function sharedLog({ gateway: { accessLog } }: Installation, here: readonly GatewayProcess[]): Finding[] {
  if (accessLog === undefined || /^\/dev\/(?:std|fd|null|tty)/.test(accessLog)) return [];
  const file = realPath(accessLog);
  const writers = here.filter(({ openFiles }) => openFiles.has(file)).map(({ pid }) => pid);
  if (writers.length < 2) return [];
  return [
    fault(
      `The gateways of the processes ${writers.join(' and ')} write to one ACCESS_LOG, ${accessLog}.`,
      'Their lines run into each other, and each loses lines when the file is moved away.',
      'Give each gateway an ACCESS_LOG of its own in its own environment, as it has a JOURNAL_DIR.',
    ),
  ];
}

/** Without BACKUP_DIR, `backups` says enough. */
function missingJournals({ backup, journalDir }: Installation, here: readonly GatewayProcess[]): Finding[] {
  if (backup.backupDir === undefined) return [];
  const listed = backup.backupJournals ?? [];
  const saved = new Set((listed.length > 0 ? listed : [journalDir]).map(realPath));
  return here
    .filter(({ journalDir: folder }) => !saved.has(folder))
    .map(({ pid, journalDir: folder }) =>
      warning(
        `The journal ${folder} of the gateway of process ${pid} is in no backup.`,
        'When the disk is lost, the calls that the database has not counted yet are free, and their quota stays held.',
        'List the journals of all gateways on this machine in BACKUP_JOURNALS.',
      ),
    );
}

function fewFiles({ pid, mostOpen }: GatewayProcess): Finding[] {
  if (mostOpen === undefined || mostOpen >= leastOpen) return [];
  return [
    warning(
      `The gateway of process ${pid} may have ${mostOpen} files and connections open.`,
      'With more callers at a time it accepts no further connections, and says so nowhere but in its log.',
      'Raise the limit where it is started: LimitNOFILE=65536 in systemd, as in ship/deploy/systemd/octroi-gateway.service, or ulimit -n 65536.',
    ),
  ];
}
