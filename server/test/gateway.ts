import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { z } from 'zod';
import { builtProgram } from '#shared/platform/built-program.ts';
import { freePort } from '#shared/platform/free-ports.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { patientGateway } from '#shared/platform/test-patience.ts';

/** A gateway as its own program; it shares only the database and HTTP with the test. */
export interface TestGateway {
  url: string;
  child: ChildProcess;
  stop: () => Promise<void>;
}

export async function listeningPort(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return z.object({ port: z.number() }).parse(server.address()).port;
}

/** `env`: settings besides the port and long limits. */
export async function spawnTestGateway(env: Readonly<Record<string, string>>): Promise<TestGateway> {
  const port = await freePort();
  const child = spawn(process.execPath, [builtProgram('gateway')], {
    cwd: projectFolder(),
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      CATALOG_DIR: projectFolder('ship', 'standins', 'catalog'),
      GATEWAY_PORT: String(port),
      ...patientGateway,
      ...env,
    },
  });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('"ready"')) resolve();
    });
    child.on('close', () => reject(new Error(`the gateway exited: ${output}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, child, stop };
}
