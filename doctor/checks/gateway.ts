import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { groupBy } from '#domain/group-by.ts';
import type { GatewayCode } from '#domain/metering.ts';
import { readSandboxes, readUpstreams, settingName } from '#gateway/config.ts';
import { readUpstreamOptions, type UpstreamTls } from '#gateway/upstream/upstream-options.ts';
import { checkedRows } from '#platform/checked-rows.ts';
import { ConfigFaults, envName } from '#platform/read-config.ts';
import { type Check, fault, fine, type Finding, inRelease, unchecked, warning } from '#doctor/finding.ts';
import { type Installation, replyTimeoutMs } from '#doctor/installation.ts';
import { reasonOf } from '#platform/reason.ts';
import { isInProgramFolder } from '#platform/release-folder.ts';
import { differenceOf } from '#server/catalog-proposal.ts';
import { parseJson } from '#platform/parse-json.ts';

export const journals: Check = {
  name: 'journals',
  about: 'journals of gateways that ended and still hold quota of customers',
  examine: async ({ db }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const query = sql`select l.journal_id as id, sum(l.held)::int as held from leases l
      left join gateways g on g.journal_id = l.journal_id
      where g.lease_until is null or g.lease_until < clock_timestamp() - interval '1 minute'
      group by l.journal_id having sum(l.held) > 0 order by l.journal_id`;
    const found = checkedRows(z.object({ id: z.string(), held: z.number() }), await query.execute(db));
    if (found.length === 0) return [fine('No ended gateway holds quota.')];
    return found.map(({ id, held }) =>
      warning(
        `A gateway ended without settling the journal ${id}, which holds ${held} calls of quota.`,
        'Customers cannot use these calls, and the last calls of that gateway are not counted yet.',
        'Start that gateway again on its journal folder. If its machine is gone: octroi journals settle FOLDER --reason "…"',
      ),
    );
  },
};

export const gateways: Check = {
  name: 'gateways',
  about: 'gateways that run, and whether they follow changes of access and of the catalogue',
  examine: async ({ db }) => {
    if (db === undefined) return [unchecked('The database cannot be read.')];
    const query = sql`select journal_id as id, unconfirmed_changes::int as unconfirmed, catalog_fault as fault from gateways
      where lease_until > clock_timestamp() - interval '10 seconds' order by journal_id`;
    const row = z.object({ id: z.string(), unconfirmed: z.number(), fault: z.string().nullable() });
    const running = checkedRows(row, await query.execute(db));
    if (running.length === 0)
      return [
        fault(
          'No gateway is connected to this database.',
          'Calls of customers fail.',
          'Start a gateway with this DATABASE_URL.',
        ),
      ];
    const findings = running.flatMap(({ id, unconfirmed, fault: fails }): Finding[] => [
      ...(unconfirmed > 0
        ? [
            warning(
              `The gateway ${id} did not confirm ${unconfirmed} changes in time.`,
              'It was cut off and has refused calls meanwhile: it or its network is overloaded.',
              'Look at its processor, its network to PostgreSQL and its log; restart it.',
            ),
          ]
        : []),
      ...(fails === null
        ? []
        : [
            fault(
              `The gateway ${id} cannot serve a version of the catalogue: ${fails}.`,
              'The version before stays in effect.',
              'Give it what is missing, most often a secret in its environment, and apply the catalogue again.',
            ),
          ]),
    ]);
    return findings.length > 0 ? findings : [fine(`${running.length} gateways follow every change.`)];
  },
};

export const catalogue: Check = {
  name: 'catalogue',
  about: 'what is on sale, the files of the catalogue that differ from it, and the secrets that they name',
  examine: async ({ catalogFaults, catalog, unreadable, env, db, isProduction, portal: { catalogDir = '' } }) => {
    const findings = catalogFaults.map((each) =>
      fault(
        each,
        'The changed files are not in effect; a first start fails.',
        'Correct the file; octroi catalog check lists every fault.',
      ),
    );
    if (unreadable !== undefined)
      findings.push(
        fault(
          unreadable.message,
          'Portals and gateways of this version do not start.',
          'Correct its files and apply them.',
        ),
      );
    const difference = db && catalogFaults.length === 0 ? await differenceOf(db, catalogDir) : undefined;
    if (difference !== undefined)
      findings.push(
        warning(
          [difference.sentence, ...difference.changes].join('\n'),
          'Customers see and buy what is on sale, not what the files say.',
          'Put the files on sale with octroi catalog apply, or what is on sale into the folder with octroi catalog show VERSION --to FOLDER.',
        ),
      );
    if (isProduction && isInProgramFolder(catalogDir)) findings.push(inRelease('CATALOG_DIR', catalogDir));
    if (catalog !== undefined) {
      try {
        readUpstreamOptions(catalog.products, env);
      } catch (error) {
        if (!(error instanceof ConfigFaults)) throw error;
        const means = 'No gateway can serve this catalogue.';
        for (const each of error.faults)
          findings.push(fault(each, means, 'Set the variable or create the file where the gateways run.'));
      }
    }
    return findings.length > 0 ? findings : [fine(`${catalog?.products.length ?? 0} products without faults.`)];
  },
};

export const upstreams: Check = {
  name: 'upstreams',
  about: 'do the APIs behind the gateway answer?',
  examine: async ({ catalog, env, gateway }) => {
    if (catalog === undefined) return [unchecked('There is no catalogue to read.')];
    const options = readUpstreamOptions(catalog.products, env);
    const addresses = [...readUpstreams(catalog, { env }), ...readSandboxes(catalog, { env })];
    const asked = groupBy(addresses, ([, url]) => url);
    return Promise.all(
      [...asked].map(async ([url, uses]) => {
        const ids = [...new Set(uses.map(([productId]) => productId))];
        if (isGatewayItself(url, gateway)) return comesBack(url, ids);
        const path = catalog.find(ids[0] ?? '')?.gateway.health?.path ?? '/';
        const isBelow = gateway.gatewayUrl !== undefined && new URL(gateway.gatewayUrl).origin === new URL(url).origin;
        return examineUpstream({ url, path, ids, isBelow, tls: options.get(ids[0] ?? '')?.tls });
      }),
    );
  },
};

const loopback = new Set(['127.0.0.1', 'localhost', '[::1]']);

const withoutSlash = (path: string): string => path.replace(/\/+$/, '');

/** On this machine by its port; elsewhere by GATEWAY_URL. A proxy may serve what lies below from elsewhere, so its reply tells. */
function isGatewayItself(url: string, { gatewayPort, gatewayUrl }: Installation['gateway']): boolean {
  const { protocol, hostname, port, origin, pathname } = new URL(url);
  if (loopback.has(hostname) && Number(port || (protocol === 'https:' ? 443 : 80)) === gatewayPort) return true;
  if (gatewayUrl === undefined) return false;
  const own = new URL(gatewayUrl);
  return origin === own.origin && withoutSlash(pathname) === withoutSlash(own.pathname);
}

/** What a gateway replies to a call without a key: there is no API at this path, or there is one. */
const gatewayReply = z.object({ code: z.enum(['path-unknown', 'key-missing'] satisfies GatewayCode[]) });

/** In bytes; a problem is shorter. */
const mostRead = 64 * 1024;

/** Asks an API, or what is in its place. */
async function askUpstream(url: string, dispatcher: Agent): Promise<{ status: number; isGateway: boolean }> {
  const signal = AbortSignal.timeout(replyTimeoutMs);
  const { statusCode: status, headers, body } = await request(url, { dispatcher, signal });
  if (!String(headers['content-type']).startsWith('application/problem+json')) {
    await body.dump();
    return { status, isGateway: false };
  }
  let read = '';
  for await (const chunk of body) {
    read += String(chunk);
    if (read.length > mostRead) break;
  }
  return { status, isGateway: gatewayReply.safeParse(parseJson(read)).success };
}

const whereSet = (ids: readonly string[]): string =>
  `upstreamUrl in the catalogue, or the setting (${ids.map((id) => envName(settingName('upstream', id))).join(', ')}, or SANDBOX_…)`;

function comesBack(url: string, ids: readonly string[]): Finding {
  return fault(
    `The address of ${ids.join(' and ')}, ${url}, is that of the gateway itself.`,
    'Each call comes back to it without key and API, and gets 404 (path-unknown), or 401 (key-missing) if the address names an API. The 404s are counted, so customers lose quota for nothing.',
    `Set the address of the API: ${whereSet(ids)}.`,
  );
}

/** Another provider's gateway is a gateway of Octroi too. */
function perhapsComesBack(url: string, ids: readonly string[]): Finding {
  return warning(
    `At the address of ${ids.join(' and ')}, ${url}, a gateway of Octroi answers.`,
    'If it is this one, each call comes back to it without key and API, and customers lose quota for nothing.',
    `If it is this one, set the address of the API: ${whereSet(ids)}.`,
  );
}

interface Upstream {
  url: string;
  /** Asked to learn whether it is well. */
  path: string;
  ids: readonly string[];
  /** On the host of GATEWAY_URL. */
  isBelow: boolean;
  tls: UpstreamTls | undefined;
}

async function examineUpstream({ url, path, ids, isBelow, tls }: Upstream): Promise<Finding> {
  const names = ids.join(' and ');
  const means = `Calls of ${names} get 502 or 503, and are not counted.`;
  const at = `${url}${path}`;
  if (url.startsWith('file:')) {
    const file = url.slice('file:'.length);
    if (existsSync(file)) return fine(`${names} runs inside the gateway.`);
    return fault(`The module ${file} of ${names} does not exist.`, means, 'Run npm run build, or correct the setting.');
  }
  const dispatcher = new Agent({ connect: { ...tls, timeout: replyTimeoutMs } });
  try {
    const { status, isGateway } = await askUpstream(at, dispatcher);
    // A gateway has a /health of its own; an API need not answer elsewhere.
    const root = path === '/' ? undefined : await askUpstream(`${url}/`, dispatcher).catch(() => undefined);
    if (isGateway || root?.isGateway) return (isBelow ? comesBack : perhapsComesBack)(url, ids);
    if (status < 500) return fine(`${names} answers at ${at}.`);
    return warning(`${names} answers at ${at} with ${status}.`, means, 'Look at the log of that API.');
  } catch (error) {
    return fault(
      `${names} cannot be reached at ${at}: ${reasonOf(error)}.`,
      means,
      `Start that API, or correct its address: ${whereSet(ids)}.`,
    );
  } finally {
    await dispatcher.destroy();
  }
}
