import { createServer } from 'node:net';
import { envName, flagName } from '#shared/platform/read-config.ts';

export interface WantedPort {
  /** `portalPort` */
  setting: string;
  port: number;
  what: string;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer((socket) => socket.destroy());
    probe.once('error', (error) => resolve('code' in error && error.code === 'EADDRNOTAVAIL'));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** One sentence for each port that two settings share or that another program uses, naming the setting to change. */
export async function portFaults(wanted: readonly WantedPort[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, { setting, port, what }] of wanted.entries()) {
    const names = `${envName(setting)} (or ${flagName(setting)})`;
    const same = wanted.slice(0, index).find((other) => other.port === port);
    if (same !== undefined) {
      faults.push(`${names} is ${port}, and so is ${envName(same.setting)}; each needs its own port.`);
    } else if (!(await isFree(port, '127.0.0.1'))) {
      faults.push(`Port ${port} for ${what} is in use by another program; choose another with ${names}.`);
    }
  }
  return faults;
}
