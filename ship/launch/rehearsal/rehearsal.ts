import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { openClient } from '#shared/database/clients.ts';
import { makeFolder } from '#shared/platform/make-folder.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { at, builtProgram, type ProcessPlan } from '#ship/launch/processes.ts';
import type { WantedPort } from '#ship/launch/ports.ts';
import { type Launch, readLaunch } from '#ship/launch/read-launch.ts';
import type { Stage } from '#ship/launch/run.ts';
import { type Certificates, openCertificates } from './certificates.ts';
import { writeCommand } from './command.ts';
import { openFront } from './front.ts';
import { portCount, portsFrom, type RehearsalPorts } from './ports.ts';
import { notTaken, openSecrets, rehearsalEnv, type RehearsalPlace, saveSecrets, standinsEnv } from './settings.ts';
import { sayRehearsal } from './welcome.ts';

const rolesReply = z.object({
  roles: z.array(z.object({ role: z.string(), databaseUrl: z.string().nullable() })),
});

/** Reads where a rehearsal lies and makes what it needs there: accounts, certificates, a copy of the catalogue. */
export async function readRehearsal(
  options: { folder: string; port: string },
  given: NodeJS.ProcessEnv,
): Promise<{ launch: Launch; stage: Stage }> {
  const folder = resolve(options.folder);
  const first = Number(options.port);
  if (!Number.isInteger(first) || first < 1024 || first + portCount > 65_536)
    throw new Error(`--port must be a whole number from 1024 to ${65_536 - portCount}.`);
  const place = await openPlace(folder, portsFrom(first));
  const certificates = openCertificates(join(folder, 'tls'));
  const env = await rehearsalEnv(place, given);
  // Nothing but these settings: what the machine has besides is production's, or a trial's.
  const processEnv = { PATH: given['PATH'] ?? '', NODE_EXTRA_CA_CERTS: certificates.authorityFile };
  const launch = readLaunch([], { ...processEnv, ...env });
  return { launch, stage: stageOf(place, { ...processEnv, ...env }, certificates, notTaken(env, given)) };
}

/** The folder of a rehearsal is empty at first, so that no installation becomes one by mistake. */
async function openPlace(folder: string, ports: RehearsalPorts): Promise<RehearsalPlace> {
  const isNew = !existsSync(folder) || readdirSync(folder).length === 0;
  if (!isNew && !existsSync(join(folder, 'secrets.json')))
    throw new Error(`${folder} is not the folder of a rehearsal. Name an empty or new one: octroi rehearse --folder …`);
  makeFolder(folder, 0o755);
  if (!existsSync(join(folder, 'catalog'))) cpSync(projectFolder('catalog'), join(folder, 'catalog'), catalogFiles);
  const secrets = await openSecrets(folder);
  writeFileSync(join(folder, 'backup-key.txt'), `${secrets.backupIdentity}\n`, { mode: 0o600 });
  return { folder, dataDir: join(folder, 'data'), ports, secrets };
}

/** The folder of the source has the code of the catalogue beside its files. */
const catalogFiles = { recursive: true, filter: (path: string) => !path.endsWith('.ts') };

function stageOf(
  place: RehearsalPlace,
  env: Record<string, string>,
  certificates: Certificates,
  leftOut: readonly string[],
): Stage {
  const { ports, folder } = place;
  const doors = [
    { port: ports.portal, behind: ports.portalBehind },
    { port: ports.gateway, behind: ports.gatewayBehind },
    { port: ports.google, behind: ports.googleBehind },
    { port: ports.razorpay, behind: ports.razorpayBehind },
    { port: ports.gstn, behind: ports.gstnBehind },
    { port: ports.s3, behind: ports.s3Behind },
  ];
  const standins: ProcessPlan = {
    name: 'standins',
    script: builtProgram('standins'),
    env: standinsEnv(env, place),
    healthUrls: [ports.googleBehind, ports.razorpayBehind, ports.gstnBehind].map((port) => at(port, '/standin/about')),
  };
  const wanted: WantedPort[] = Object.entries(ports)
    .filter(([name]) => !['portalBehind', 'gatewayBehind', 'taxLookup', 'invoicing'].includes(name))
    .map(([name, port]) => ({ setting: 'port', port, what: `the rehearsal (${name})` }));
  return {
    wantedPorts: wanted,
    prepare: async (ownerUrl) => {
      await markDatabase(ownerUrl);
      return makeUsers(place, env, ownerUrl);
    },
    plans: [standins],
    open: () => openFront(doors, certificates),
    started: (how) => {
      // Not earlier: settings with which nothing starts must not replace those of the last start.
      writeCommand(folder, { ...env, DATABASE_URL: how.databaseUrl });
      sayRehearsal({ ...how, place, authorityFile: certificates.authorityFile, leftOut });
    },
  };
}

/** Asks the database as its owner; returns how many rows were found or changed. */
async function asOwner(ownerUrl: string, text: string): Promise<number> {
  const client = openClient({ connectionString: ownerUrl, application_name: 'octroi rehearse' });
  await client.connect();
  try {
    return (await client.query(text)).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** At its first start, while it has no customers; the database refuses it later. */
const markDatabase = (ownerUrl: string) => asOwner(ownerUrl, 'update installation set is_rehearsal = true');

/** A data folder that was deleted took the users with it. */
const hasUsers = async (ownerUrl: string): Promise<boolean> =>
  (await asOwner(ownerUrl, `select from pg_roles where rolname = 'octroi_run'`)) !== 0;

/** As docs/operating/security.md says: three users, of whom the processes get the one with the least rights. */
async function makeUsers(
  { folder, secrets }: RehearsalPlace,
  env: Record<string, string>,
  ownerUrl: string,
): Promise<string> {
  if (secrets.databaseUrls === undefined || !(await hasUsers(ownerUrl))) {
    const words = [builtProgram('octroi'), 'database', 'roles', '--new-passwords', '--json'];
    const made = await promisify(execFile)(process.execPath, words, { env: { ...env, DATABASE_URL: ownerUrl } });
    const { roles } = rolesReply.parse(JSON.parse(made.stdout));
    const of = (kind: string): string => roles.find(({ role }) => role === `octroi_${kind}`)?.databaseUrl ?? '';
    secrets.databaseUrls = { migrate: of('migrate'), run: of('run'), read: of('read') };
    saveSecrets(folder, secrets);
  }
  // PostgreSQL gets another port when its last one is taken.
  const url = new URL(secrets.databaseUrls.run);
  url.port = new URL(ownerUrl).port;
  return url.href;
}
