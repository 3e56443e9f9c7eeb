import { isIP } from 'node:net';
import { groupBy } from '#shared/domain/group-by.ts';
import { partList } from '#ship/launch/parts.ts';
import { wantedPorts } from '#ship/launch/processes.ts';
import { isWithin, readNetworks } from '#shared/platform/addresses.ts';
import { envName, readSoundSettings } from '#shared/platform/read-config.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { type Installation, launcherDefaults } from '#doctor/installation.ts';

/** A port on which a process listens. */
interface Listener {
  process: string;
  setting: string;
  host: string;
  port: number;
}

export const ports: Check = {
  name: 'ports',
  about: 'is a port used twice, by one process or by several on one machine?',
  examine: (installation) => {
    const byPort = groupBy(listenersOf(installation), ({ port }) => port);
    const found = [...byPort].flatMap(([port, listeners]) => {
      const clashing = listeners.filter((one) => listeners.some((other) => one !== other && sameHost(one, other)));
      return clashing.length === 0 ? [] : clash(port, clashing, installation);
    });
    return found.length > 0 ? found : [fine('Every port is used once.')];
  },
};

/** Networks of the machine, the company and the carrier (RFC 1918, 6598, 4193, 3927, 4291). */
const inward = readNetworks(
  ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16'].concat([
    '::1',
    'fc00::/7',
    'fe80::/10',
  ]),
);

/** A name is judged where the metrics are read: the file of Prometheus. */
const isOpen = (host: string): boolean =>
  everyAddress.has(host) || (isIP(host) !== 0 && inward !== undefined && !isWithin(inward, host));

export const metrics: Check = {
  name: 'metrics',
  about: 'METRICS_HOST: may only you read the metrics?',
  examine: (installation) => {
    const served = listenersOf(installation).filter(({ setting }) => setting.endsWith('MetricsPort'));
    const host = served[0]?.host ?? installation.gateway.metricsHost ?? '';
    if (isOpen(host))
      return [
        warning(
          `METRICS_HOST is ${host}: whoever reaches ${everyAddress.has(host) ? 'this machine' : 'it'} can read the metrics.`,
          'They tell a stranger your revenue, calls, refusals and disputes.',
          'Set METRICS_HOST to 127.0.0.1 or to an address of your private network. In a container, which needs every address, publish none of the metrics ports.',
        ),
      ];
    return [served.length === 0 ? unchecked('No metrics are served.') : fine(`Metrics are served at ${host}.`)];
  },
};

function listenersOf({ env, given, isProduction }: Installation): Listener[] {
  const ofParts = partList.flatMap(({ name, settings }) => {
    const read: Readonly<Record<string, unknown>> = readSoundSettings(settings, { env });
    return Object.entries(read).flatMap(([setting, port]): Listener[] => {
      if (!setting.endsWith('Port') || typeof port !== 'number') return [];
      const host = read[setting.endsWith('MetricsPort') ? 'metricsHost' : `${name}Host`];
      return [{ process: `the ${name}`, setting, port, host: String(host) }];
    });
  });
  // In production there are no stand-ins.
  const ofStandins = isProduction
    ? []
    : wantedPorts(launcherDefaults(given))
        .filter(({ setting }) => setting.startsWith('standin'))
        .map(({ setting, port }) => ({ process: 'the stand-ins', setting, port, host: '127.0.0.1' }));
  return [...ofParts, ...ofStandins];
}

const everyAddress = new Set(['0.0.0.0', '::']);
const addressOf = ({ host }: Listener): string => (host === 'localhost' ? '127.0.0.1' : host);

const sameHost = (one: Listener, other: Listener): boolean =>
  addressOf(one) === addressOf(other) || everyAddress.has(one.host) || everyAddress.has(other.host);

function clash(port: number, listeners: readonly Listener[], { isProduction, settingsFaults }: Installation): Finding {
  const names = listeners.map(({ setting }) => envName(setting));
  const found = `${joined(names)} are ${names.length === 2 ? 'both' : 'all'} ${port}`;
  if (settingsFaults.some((each) => names.every((name) => each.includes(name))))
    return unchecked(`${found}; the check “settings” says so.`);
  const processes = [...groupBy(listeners, ({ process }) => process)];
  const twice = processes.find(([, own]) => own.length > 1)?.[0];
  const remedy = 'Give each its own port.';
  if (twice !== undefined) return fault(`${found}.`, `The process of ${twice} does not start.`, remedy);
  const one = `Of ${joined(processes.map(([process]) => process))}, only the first to start runs`;
  if (!isProduction) return fault(`${found}.`, `${one}.`, remedy);
  return warning(
    `${found}.`,
    `${one} if they share a machine.`,
    'Give each its own port, unless each has a machine or container of its own.',
  );
}

const joined = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
