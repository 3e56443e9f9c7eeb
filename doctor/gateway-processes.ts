import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A gateway on this machine, found by the files that it has open, as far as this user may see them. */
export interface GatewayProcess {
  pid: number;
  journalDir: string;
  openFiles: ReadonlySet<string>;
  /** The most files and connections that it may have open; undefined for any number. */
  mostOpen: number | undefined;
}

const segment = /\/\d{16}\.log$/;

/** Those whose journals the database knows as running. Only Linux tells; elsewhere there are none. */
export function gatewayProcessesHere(runningJournals: ReadonlySet<string>): GatewayProcess[] {
  return listOf('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid): GatewayProcess[] => {
      const openFiles = new Set(listOf(`/proc/${pid}/fd`).flatMap((fd) => targetOf(`/proc/${pid}/fd/${fd}`)));
      const journalDir = [...openFiles]
        .filter((file) => segment.test(file))
        .map((file) => dirname(file))
        .find((folder) => runningJournals.has(textOf(join(folder, 'id')).trim()));
      if (journalDir === undefined) return [];
      const limit = /^Max open files\s+(\d+)/m.exec(textOf(`/proc/${pid}/limits`))?.[1];
      return [{ pid: Number(pid), journalDir, openFiles, mostOpen: limit === undefined ? undefined : Number(limit) }];
    });
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
