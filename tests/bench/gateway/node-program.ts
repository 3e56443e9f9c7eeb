import { projectFolder } from '#shared/platform/project-folder.ts';
import { type Place, type Running, runPrograms } from './peer.ts';
import { gatewayCore, startProgram, untilItResponds } from './processes.ts';

/** Starts one of `programs/`; its environment has its port, the address of the API, and `more`. */
export function runNodeProgram(name: string, place: Place, more: Record<string, string> = {}): Promise<Running> {
  return runPrograms(async () => {
    const program = startProgram(
      gatewayCore,
      process.execPath,
      [projectFolder('tests', 'bench', 'gateway', 'programs', name)],
      {
        NODE_ENV: 'production',
        PORT: String(place.port),
        PRODUCT_URL: `http://127.0.0.1:${place.productPort}`,
        ...more,
      },
    );
    await untilItResponds(`http://127.0.0.1:${place.port}/`);
    return { pids: () => [program.pid], end: program.end };
  });
}
