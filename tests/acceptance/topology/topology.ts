import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { builtProgram } from '#shared/platform/built-program.ts';
import { freePorts } from '#shared/platform/free-ports.ts';
import { standinAccounts } from '#shared/platform/production-rules.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { patientGateway } from '#shared/platform/test-patience.ts';
import { readCompose, type Service } from './compose.ts';
import type { StartDatabase, TopologyDatabase } from './databases.ts';
import { type FrontDoor, makeCertificate, startFrontDoor } from './front-door.ts';
import { respondsOk, supervise, type Supervised } from './supervised.ts';

/** Everything that ship/deploy/docker/compose.yaml starts, as processes on this machine, with stand-ins for Google and Razorpay. */
export interface Topology {
  /** The port of nginx, for both names of tls.conf. */
  port: number;
  /** PEM text that callers must trust. */
  certificate: string;
  googleUrl: string;
  razorpayUrl: string;
  database: TopologyDatabase;
  frontDoor: FrontDoor;
  /** The address of a service, by its name. */
  addressOf: (service: string) => string;
  /** By the name of the service. */
  services: ReadonlyMap<string, Supervised>;
  stop: () => Promise<void>;
}

const run = promisify(execFile);
const path = { PATH: process.env['PATH'] ?? '' };

/** Each topology has a network of its own below 127.0.0.0/8, so that every service keeps the ports of the compose file. */
function createNetwork(services: readonly Service[], subnet: string) {
  const prefix = `127.${1 + (process.pid % 250)}.${1 + (Date.now() % 250)}`;
  const addresses = new Map(
    [...services.map(({ name }) => name), 'nginx'].map((name, at) => [name, `${prefix}.${at + 2}`]),
  );
  const addressOf = (name: string): string => {
    const address = addresses.get(name);
    if (address === undefined) throw new Error(`compose.yaml has no service ${name}`);
    return address;
  };
  const hosts: Record<string, string[]> = {};
  for (const { name, hosts: names } of services) for (const host of names) (hosts[host] ??= []).push(addressOf(name));
  /** What holds in a container holds here for its address and its network. */
  const translate = (value: string, service: string): string =>
    value.replaceAll(subnet, `${prefix}.0/24`).replaceAll('0.0.0.0', addressOf(service));
  return { addressOf, hosts, translate };
}

export interface TopologyOptions {
  database: StartDatabase;
  /** How many gateways: at most two are those of the compose file, the others are like its second. */
  gateways: number;
}

export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-topology-'));
  // Under root PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o711);
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  try {
    return { ...(await assemble(options, folder, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const commandOf = ({ command: [program = '', ...args] }: Service): [string, ...string[]] => [
  process.execPath,
  projectFolder('build', basename(program)),
  ...args,
];

const isGateway = ({ name }: Service): boolean => /^gateway-\d$/.test(name);

/** The services with as many gateways as are wanted. */
function withGateways(services: readonly Service[], count: number): Service[] {
  const gateways = services.filter(isGateway);
  const last = gateways.at(-1);
  if (last === undefined) throw new Error('compose.yaml has no gateway');
  const wanted = Array.from({ length: count }, (_, at) => {
    const name = `gateway-${at + 1}`;
    return gateways[at] ?? { ...last, name, hosts: [name] };
  });
  return [...services.filter((service) => !isGateway(service)), ...wanted];
}

async function assemble(
  options: TopologyOptions,
  folder: string,
  undo: (() => Promise<unknown>)[],
): Promise<Omit<Topology, 'stop'>> {
  undo.push(async () => rmSync(folder, { recursive: true, force: true }));
  const database = await options.database(folder);
  undo.push(database.stop);
  const { databaseUrl } = database;

  const [port = 0, google = 0, razorpay = 0] = await freePorts(3);
  const certificate = makeCertificate(join(folder, 'nginx', 'tls'));
  const settings = {
    ...settingsFile(port, google, razorpay),
    NODE_EXTRA_CA_CERTS: join(folder, 'nginx', 'tls', 'fullchain.pem'),
  };
  const compose = readCompose({ variables: { POSTGRES_PASSWORD: new URL(databaseUrl).password }, settings });
  const services = withGateways(compose.services, options.gateways);
  const network = createNetwork(services, compose.subnet);
  const envOf = (service: Service): Record<string, string> => {
    const env = Object.entries(service.env).map(([name, value]) => [name, network.translate(value, service.name)]);
    return {
      ...path,
      ...Object.fromEntries(env),
      DATA_DIR: join(folder, service.name),
      // PostgreSQL is not one of our images.
      DATABASE_URL: String(service.env['DATABASE_URL']).replace('@postgres/', `@${new URL(databaseUrl).host}/`),
      TOPOLOGY_HOSTS: JSON.stringify(network.hosts),
      NODE_OPTIONS: `--import=${pathToFileURL(projectFolder('tests', 'acceptance', 'topology', 'names.mjs')).href}`,
    };
  };
  for (const service of services.filter(({ isTool }) => isTool)) {
    const [program, ...args] = commandOf(service);
    await run(program, args, { cwd: projectFolder(), env: envOf(service) });
  }
  const start = async (service: Service): Promise<[string, Supervised]> => {
    mkdirSync(join(folder, service.name), { recursive: true });
    const { healthUrl = '' } = service;
    const supervised = await supervise({
      ...service,
      command: commandOf(service),
      env: envOf(service),
      cwd: projectFolder(),
      logFile: join(folder, `${service.name}.log`),
      isReady: () => respondsOk(healthUrl.replace('127.0.0.1', network.addressOf(service.name))),
    });
    undo.push(supervised.stop);
    return [service.name, supervised];
  };
  const standins = await supervise({
    name: 'standins',
    command: [process.execPath, builtProgram('standins')],
    env: {
      ...path,
      ...settings,
      DATA_DIR: join(folder, 'standins'),
      STANDIN_GOOGLE_PORT: String(google),
      STANDIN_RAZORPAY_PORT: String(razorpay),
      RAZORPAY_WEBHOOK_URL: `https://localhost:${port}/backend/webhooks/razorpay`,
    },
    cwd: projectFolder(),
    logFile: join(folder, 'standins.log'),
    graceMs: 10_000,
    isReady: () => respondsOk(`http://localhost:${razorpay}/standin/health`),
  });
  undo.push(standins.stop);
  const started = await Promise.all(services.filter(({ isTool }) => !isTool).map(start));
  const frontDoor = await startFrontDoor({
    folder: join(folder, 'nginx'),
    port,
    address: network.addressOf('nginx'),
    addressOf: network.addressOf,
    gateways: options.gateways,
  });
  undo.push(frontDoor.nginx.stop);
  return {
    port,
    certificate,
    googleUrl: `http://localhost:${google}`,
    razorpayUrl: `http://localhost:${razorpay}`,
    database,
    frontDoor,
    addressOf: network.addressOf,
    services: new Map(started),
  };
}

/** What an operator would write into octroi.env, here for the stand-ins. */
function settingsFile(port: number, google: number, razorpay: number): Record<string, string> {
  return {
    NODE_ENV: 'development',
    STANDINS: 'yes',
    CATALOG_DIR: projectFolder('ship', 'standins', 'catalog'),
    PORTAL_URL: `https://portal.example.in:${port}`,
    GATEWAY_URL: `https://api.example.in:${port}`,
    GOOGLE_CLIENT_ID: standinAccounts.googleClientId,
    GOOGLE_JWKS_URL: `http://localhost:${google}/oauth2/v3/certs`,
    GOOGLE_SCRIPT_URL: `http://localhost:${google}/gsi/client`,
    RAZORPAY_KEY_ID: standinAccounts.razorpayKeyId,
    RAZORPAY_KEY_SECRET: standinAccounts.razorpayKeySecret,
    RAZORPAY_WEBHOOK_SECRET: standinAccounts.razorpayWebhookSecret,
    RAZORPAY_API_URL: `http://localhost:${razorpay}/v1`,
    RAZORPAY_CHECKOUT_URL: `http://localhost:${razorpay}/v1/checkout.js`,
    SIGN_INS_PER_MINUTE: '100000',
    LOG_LEVEL: 'warn',
    ...patientGateway,
  };
}
