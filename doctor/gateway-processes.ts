import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A gateway on this machine, found by its environment and the files that it has open, as far as this user may see them. */
export interface GatewayProcess {
  pid: number;
  journalDir: string;
  openFiles: ReadonlySet<string>;
  /** The most files and connections that it may have open; undefined for any number. */
  mostOpen: number | undefined;
}

const segment = /\/\d{16}\.log$/;

/** `octroi gateway`, the program of a release, or its source. */
const isGateway = /(?:^|[\0/])gateway(?:\.js|\/main\.ts)?\0/;

/** Those whose journals the database knows as running. Only Linux tells; elsewhere there are none. */
export function gatewayProcessesHere(runningJournals: ReadonlySet<string>): GatewayProcess[] {
  return listOf('/proc')
    .filter((name) => /^\d+$/.test(name) && isGateway.test(textOf(`/proc/${name}/cmdline`)))
    .flatMap((pid): GatewayProcess[] => {
      const openFiles = new Set(listOf(`/proc/${pid}/fd`).flatMap((fd) => targetOf(`/proc/${pid}/fd/${fd}`)));
      const folders = [...[...openFiles].filter((file) => segment.test(file)).map(dirname), ...givenJournal(pid)];
      const journalDir = folders.find((folder) => runningJournals.has(textOf(join(folder, 'id')).trim()));
      if (journalDir === undefined) return [];
      const limit = /^Max open files\s+(\d+)/m.exec(textOf(`/proc/${pid}/limits`))?.[1];
      return [{ pid: Number(pid), journalDir, openFiles, mostOpen: limit === undefined ? undefined : Number(limit) }];
    });
}

/** As its environment says: before its first call, a gateway has no segment open. */
function givenJournal(pid: string): string[] {
  const entries = textOf(`/proc/${pid}/environ`).split('\0');
  const valueOf = (name: string) => entries.find((entry) => entry.startsWith(`${name}=`))?.slice(name.length + 1);
  const [cwd = '/'] = targetOf(`/proc/${pid}/cwd`);
  const dataDir = resolve(cwd, valueOf('DATA_DIR') || 'data');
  const folder = resolve(cwd, valueOf('JOURNAL_DIR') || join(dataDir, 'journal'));
  return existsSync(folder) ? [realpathSync(folder)] : [];
}

/** Processes end meanwhile, and those of other users are not ours to see. */
function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function targetOf(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
