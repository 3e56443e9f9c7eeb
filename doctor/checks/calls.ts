import { z } from 'zod';
import type { Catalog } from '#catalog/catalog.ts';
import type { ProbedCall } from '#shared/database/gateway-probe.ts';
import { fault, fine, type Finding, warning } from '#doctor/finding.ts';
import type { Installation } from '#doctor/installation.ts';
import { probeGateways, type ProbedGateway } from '#doctor/probe.ts';
import { ask, jsonOf } from '#doctor/replies.ts';
import { secretPlaces } from '#gateway/config.ts';
import { readUpstreamOptions } from '#gateway/upstream/upstream-options.ts';
import { groupBy } from '#shared/domain/group-by.ts';
import type { GatewayCode } from '#shared/domain/metering.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { examineFront } from './front.ts';
import {
  askUpstream,
  certificateFault,
  comesBack,
  perhapsComesBack,
  trustItsCertificate,
  whereSet,
} from './upstream-address.ts';

const isOneOf = (codes: readonly GatewayCode[], code: string | undefined): boolean =>
  codes.some((each) => each === code);

/** What a gateway says of itself when it stands in place of an API. */
const ofAGateway: readonly GatewayCode[] = ['path-unknown', 'key-missing'];
/** What a gateway says when it has no response of the API. */
const withoutResponse: readonly GatewayCode[] = ['upstream-failed', 'upstream-too-slow', 'overloaded'];

/** Calls every API through each gateway and then through GATEWAY_URL, with keys of the moment that cost nobody anything. */
export async function examineCalls(
  installation: Installation,
  catalog: Catalog,
  gateways: readonly string[],
): Promise<Finding[]> {
  const { databaseUrl = '' } = installation;
  const { probed, outside } = await probeGateways(databaseUrl, gateways, async (liveKey) => ({
    calls: await callFromOutside(installation, catalog, liveKey),
    front: await examineFront(installation, catalog, liveKey),
  }));
  const silent = [...probed].filter(([, { of, calls }]) => of === undefined || calls.length < of);
  const findings = silent.map(([id, { of, calls }]) =>
    warning(
      of === undefined
        ? `The gateway ${id} did not say whether calls reach the APIs.`
        : `The gateway ${id} told of ${calls.length} calls out of ${of} in a minute.`,
      'It is overloaded, or of another version.',
      'Look at its log and its processor; restart it with this version.',
    ),
  );
  const calls = [...probed].flatMap(([id, gateway]) => gateway.calls.map((call) => ({ ...call, id })));
  const alike = groupBy(calls, ({ address, test, status, code, fault: why }) =>
    JSON.stringify([address, test, status, code, why]),
  );
  for (const same of alike.values()) {
    const [call] = same;
    if (call === undefined) continue;
    const at = new Set(same.map(({ id }) => id));
    const where = at.size === probed.size ? '' : ` through the gateway ${[...at].join(', ')}`;
    const products = [...new Set(same.map(({ product }) => product))];
    const told = (await isGatewayBehind(call, products, catalog)) ? { ...call, code: ofAGateway[0] } : call;
    const untrusted = await certificateFaultOf(call, products, installation, catalog);
    findings.push(
      untrusted === undefined
        ? judge(told, products, where, installation, catalog)
        : fault(
            `Calls of ${products.join(' and ')}${where} don’t reach ${call.address}; from here it says: ${untrusted}.`,
            meaningOf(call.test, products),
            trustItsCertificate,
          ),
    );
  }
  return [...findings, ...outside.calls.flatMap((call) => judgeOutside(call, probed, installation)), ...outside.front];
}

/** A gateway has a health of its own, so that one in place of an API looks well at that path. */
async function isGatewayBehind({ address, status }: ProbedCall, products: readonly string[], catalog: Catalog) {
  const hasOwnPath = products.some((id) => (catalog.find(id)?.gateway.health?.path ?? '/') !== '/');
  if (!hasOwnPath || status === null || !address.startsWith('http')) return false;
  return askUpstream(`${address}/`).then(
    ({ isGateway }) => isGateway,
    // From here it need not be reachable.
    () => false,
  );
}

/** A gateway tells only its log why TLS to an API failed, so the API is asked from here. */
async function certificateFaultOf(
  { address, code }: ProbedCall,
  products: readonly string[],
  { env }: Installation,
  catalog: Catalog,
): Promise<string | undefined> {
  if (code !== ('upstream-failed' satisfies GatewayCode) || !address.startsWith('https:')) return undefined;
  try {
    const tls = readUpstreamOptions(catalog.products, secretPlaces({ env })).get(products[0] ?? '')?.tls;
    await askUpstream(`${address}/`, tls);
    return undefined;
  } catch (error) {
    return certificateFault(error);
  }
}

const meaningOf = (test: boolean, products: readonly string[]): string =>
  `${test ? 'Test calls' : 'Calls'} of ${products.join(' and ')} fail, and are not counted.`;

function judge(
  { address, test, status, code, fault: why }: ProbedCall,
  products: readonly string[],
  where: string,
  { gateway }: Installation,
  catalog: Catalog,
): Finding {
  const names = `${test ? 'the sandbox of ' : ''}${products.join(' and ')}`;
  const means = meaningOf(test, products);
  if (isOneOf(ofAGateway, code)) {
    const isBelow = gateway.gatewayUrl !== undefined && new URL(gateway.gatewayUrl).origin === originOf(address);
    const isHere = new URL(address).port === String(gateway.gatewayPort);
    return (isBelow || isHere ? comesBack : perhapsComesBack)(address, products);
  }
  if (code === 'cannot-check' || code === 'key-invalid')
    return fault(
      `A gateway could not look a key up${where}: ${code}.`,
      'Calls of customers are refused.',
      'Look at the gateway’s log: a database that answers later than DATABASE_TIMEOUT_MS, or a user without the rights of octroi database roles.',
    );
  if (code === ('api-not-set-up' satisfies GatewayCode))
    return fault(
      `The calls of ${names}${where} are refused with 503 (${code}).`,
      means,
      'A secret or certificate is missing where that gateway runs: the check gateways names it.',
    );
  const how = `${status ?? ''}${code === undefined ? '' : ` (${code})`}${why ?? ''}`;
  if (status === null || isOneOf(withoutResponse, code))
    return fault(
      `A call of ${names}${where} does not come back from ${address}: ${how}.`,
      means,
      `Start that API, or correct its address where the gateway runs: ${whereSet(products)}. A gateway that is started alone takes no address from the ports.`,
    );
  if (status >= 500)
    return warning(`${names} answers at ${address} with ${how}${where}.`, means, 'Look at the log of that API.');
  const signsIn = products.some((id) => {
    const own = catalog.find(id)?.gateway;
    return own?.health !== undefined || (own?.credentials.length ?? 0) > 0;
  });
  if ((status === 401 || status === 403) && signsIn)
    return warning(
      `${names} refuses the gateway at ${address} with ${how}${where}.`,
      means,
      'Compare gateway.credentials in the catalogue, and the variables that it names, with what the API expects.',
    );
  return fine(`${names} answers calls at ${address}${where}.`);
}

const originOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).origin : undefined);

interface OutsideCall {
  product: string;
  header: 'Authorization' | 'X-Api-Key';
  status: number | undefined;
  code: string | undefined;
  why: string | undefined;
}

const problem = z.object({ code: z.string() });

async function callFromOutside(
  { gateway: { gatewayUrl } }: Installation,
  catalog: Catalog,
  key: string,
): Promise<OutsideCall[]> {
  if (gatewayUrl === undefined) return [];
  const call = async (product: string, path: string, header: OutsideCall['header']): Promise<OutsideCall> => {
    const headers = header === 'Authorization' ? { authorization: `Bearer ${key}` } : { 'x-api-key': key };
    try {
      const response = await ask(`${gatewayUrl}/${path}/v1`, { headers });
      const { code } = problem.safeParse(await jsonOf(response)).data ?? {};
      return { product, header, status: response.status, code, why: undefined };
    } catch (error) {
      return { product, header, status: undefined, code: undefined, why: reasonOf(error) };
    }
  };
  return Promise.all(
    catalog.products.flatMap(({ id, gatewayPath }, index) => [
      call(id, gatewayPath, 'Authorization'),
      ...(index === 0 ? [call(id, gatewayPath, 'X-Api-Key')] : []),
    ]),
  );
}

/** What the gateways themselves got is right for GATEWAY_URL too; anything else was done by what stands between. */
function judgeOutside(
  { product, header, status, code, why }: OutsideCall,
  probed: ReadonlyMap<string, ProbedGateway>,
  { gateway: { gatewayUrl = '' } }: Installation,
): Finding[] {
  const inside = [...probed.values()].flatMap(({ calls }) =>
    calls.filter((call) => call.product === product && !call.test),
  );
  if (inside.length === 0 || inside.some((call) => call.status === status && call.code === code)) return [];
  const means = 'Calls of customers fail.';
  const proxy =
    'Let the proxy pass every path and header to the gateway, unchanged: ship/deploy/nginx/tls.conf is an example.';
  if (code === ('key-missing' satisfies GatewayCode))
    return [fault(`The header ${header} does not arrive through ${gatewayUrl}.`, means, proxy)];
  if (code === ('key-invalid' satisfies GatewayCode))
    return [
      fault(
        `A gateway of another database answers at ${gatewayUrl}.`,
        'Keys of customers are unknown there.',
        'Let GATEWAY_URL and the proxy lead to the gateways with this DATABASE_URL.',
      ),
    ];
  const got = why ?? `${status ?? ''}${code === undefined ? '' : ` (${code})`}`;
  return [fault(`A call of ${product} through ${gatewayUrl} fails: ${got}.`, means, proxy)];
}
