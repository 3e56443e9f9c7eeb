import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** A service of ship/deploy/docker/compose.yaml that runs one of our programs. */
export interface Service {
  name: string;
  /** The names by which other services reach it. */
  hosts: readonly string[];
  /** Script and arguments, such as `build/octroi.js migrate`. */
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Where its health check asks, with 127.0.0.1 as its host. */
  healthUrl: string | undefined;
  /** How long it may take to stop. */
  graceMs: number;
  /** Started again after it has ended. */
  restarts: boolean;
  /** Only started on request. */
  isTool: boolean;
}

export interface Compose {
  services: readonly Service[];
  /** The network on which all of them have their addresses, such as 172.28.0.0/24. */
  subnet: string;
}

const serviceSchema = z.object({
  image: z.string(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .default('10s'),
  restart: z.string().default('no'),
  profiles: z.array(z.string()).default([]),
  networks: z.union([
    z.array(z.string()),
    z.record(z.string(), z.object({ aliases: z.array(z.string()).default([]) }).nullable()),
  ]),
});
const composeSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.object({ octroi: z.object({ ipam: z.object({ config: z.array(z.object({ subnet: z.string() })) }) }) }),
});

/**
 * Reads the compose file with what the image sets. `given`: the variables of its `.env` file, and the settings of `octroi.env`, which
 * override those of the image, and are overridden by those of the service.
 */
export function readCompose(given: {
  variables: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
}): Compose {
  const text = readFileSync(projectFolder('ship', 'deploy', 'docker', 'compose.yaml'), 'utf8');
  const filled = text.replaceAll(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => {
    const value = given.variables[name];
    if (value === undefined) throw new Error(`compose.yaml needs ${name}`);
    return value;
  });
  const { services, networks } = composeSchema.parse(parse(filled, { merge: true }));
  const dockerfile = readFileSync(projectFolder('ship', 'deploy', 'docker', 'Dockerfile'), 'utf8');
  const image = imageSettings(dockerfile);
  const entrypoint = entrypointOf(dockerfile);
  return {
    services: Object.entries(services).flatMap(([name, service]) => {
      // Other profiles are for those who ask for them, such as nightly backups.
      if (service.image !== 'octroi' || service.profiles.some((profile) => profile !== 'tools')) return [];
      const aliases = Array.isArray(service.networks) ? [] : (service.networks['octroi']?.aliases ?? []);
      return {
        name,
        hosts: [name, ...aliases],
        command: [...entrypoint, ...service.command],
        env: { ...image, ...given.settings, ...service.environment },
        healthUrl: /http:\/\/127\.0\.0\.1:\d+[\w/]*/.exec(service.healthcheck?.test.join(' ') ?? '')?.[0],
        graceMs: Number.parseInt(service.stop_grace_period, 10) * 1000,
        restarts: service.restart === 'unless-stopped',
        isTool: service.profiles.length > 0,
      };
    }),
    subnet: networks.octroi.ipam.config[0]?.subnet ?? '',
  };
}

/** The settings in the ENV lines of the image. */
function imageSettings(dockerfile: string): Record<string, string> {
  const pairs = [...dockerfile.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.trim().split(/\s+/));
  return Object.fromEntries(
    pairs.map((pair): [string, string] => {
      const [name = '', value = ''] = pair.split('=');
      return [name, value];
    }),
  );
}

/** What Node runs in the image, before the command of the service. */
function entrypointOf(dockerfile: string): string[] {
  const words = z.array(z.string()).parse(JSON.parse(/^ENTRYPOINT (\[.+\])$/m.exec(dockerfile)?.[1] ?? '[]'));
  return words.slice(words.indexOf('node') + 1);
}
