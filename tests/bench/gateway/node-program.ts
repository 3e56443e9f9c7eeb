import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { benchFolder } from './install.ts';
import { type Place, type Running, runPrograms, unlimited } from './peer.ts';
import { gatewayCore, startProgram, untilItResponds } from './processes.ts';

/** Starts one of `programs/`; its environment has its port and folder, the keys and their limits, and `more`. */
export function runNodeProgram(name: string, place: Place, more: Record<string, string> = {}): Promise<Running> {
  return runPrograms(async () => {
    mkdirSync(place.folder, { recursive: true });
    const limits = [
      ...place.openKeys.map((key) => [key, unlimited]),
      ...place.limitedKeys.map((key) => [key, place.quota]),
    ];
    const keysFile = join(place.folder, 'keys.json');
    writeFileSync(keysFile, JSON.stringify(Object.fromEntries(limits)));
    const program = startProgram(
      gatewayCore,
      process.execPath,
      [projectFolder('tests', 'bench', 'gateway', 'programs', name)],
      {
        NODE_ENV: 'production',
        PORT: String(place.port),
        PRODUCT_URL: `http://127.0.0.1:${place.productPort}`,
        PACKAGES: benchFolder,
        KEYS_FILE: keysFile,
        FOLDER: place.folder,
        ...more,
      },
    );
    await untilItResponds(`http://127.0.0.1:${place.port}/`);
    return { pids: () => [program.pid], end: program.end };
  });
}
