import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Catalog, Product } from '#catalog/catalog.ts';
import { createSupportThread, maxFileChars } from '#shared/contract/support.ts';
import { type ArrivedProbe, arrivedProbe, probeHeader } from '#shared/database/gateway-probe.ts';
import { fault, type Finding, warning } from '#doctor/finding.ts';
import { type Installation, replyTimeoutMs } from '#doctor/installation.ts';
import { ask, jsonOf } from '#doctor/replies.ts';
import { backendPath } from '#server/http/app.ts';

/** What stands in front of gateways and portals: a proxy, a load balancer, a firewall. It must take and wait for all that they do. */

/** Of a network for examples (RFC 5737): nobody calls from there. */
const forged = '203.0.113.77';
/** A limit of a proxy at which a body is worth its transfer; above it, its declared length must do. */
const mostSentBytes = 16 * 1024 ** 2;
/** For what a proxy adds to the head. */
const headRoomBytes = 2048;
/** Below the limit on a single header of every common proxy. */
const headerBytes = 4000;

/** How what is in front of GATEWAY_URL and PORTAL_URL treats calls; `liveKey` is one that the gateways know. */
export async function examineFront(installation: Installation, catalog: Catalog, liveKey: string): Promise<Finding[]> {
  const { gateway, portal, isSlow } = installation;
  const { gatewayUrl } = gateway;
  const [product] = catalog.products;
  if (gatewayUrl === undefined || product === undefined) return [];
  const pathOf = ({ gatewayPath }: Product) => `${gatewayUrl}/${gatewayPath}/v1`;
  const probes = [
    examineAddress(installation, pathOf(product), liveKey),
    examineGatewayBody(installation, catalog, pathOf),
    examineHead(installation, pathOf(product)),
    ...(portal.portalUrl === undefined
      ? []
      : [
          examineBody(
            `${portal.portalUrl}${backendPath}${createSupportThread.path}`,
            maxFileChars,
            portal.portalUrl,
            'Files that customers send to support are refused, and perhaps letters and certificates.',
          ),
        ]),
    ...(isSlow ? [examineWait(installation, catalog, pathOf, liveKey)] : []),
  ];
  return (await Promise.all(probes)).flat();
}

async function arrivedAs(url: string, liveKey: string, waitMs = 0): Promise<ArrivedProbe | number> {
  const response = await ask(url, {
    headers: { 'x-api-key': liveKey, 'x-forwarded-for': forged, [probeHeader]: String(waitMs) },
    signal: AbortSignal.timeout(waitMs + replyTimeoutMs),
  });
  return arrivedProbe.safeParse(await jsonOf(response)).data ?? response.status;
}

/** Limits, address lists of keys and the log go by the caller's address, which only the proxy can tell. */
async function examineAddress({ gateway }: Installation, url: string, liveKey: string): Promise<Finding[]> {
  const arrived = await arrivedAs(url, liveKey).catch(() => undefined);
  // What does not arrive at all, the calls to the APIs name.
  if (arrived === undefined || typeof arrived === 'number') return [];
  const { peer, isTrusted, forwarded } = arrived;
  const { gatewayUrl = '', gatewayPort } = gateway;
  const all =
    'All callers count as one: one of them uses up the limits of all, and address lists of keys refuse everyone.';
  if (isTrusted && forwarded === null)
    return [
      fault(
        `The proxy ${peer} in front of ${gatewayUrl} sets no X-Forwarded-For.`,
        all,
        'Let it set the header to the address of its caller: in nginx proxy_set_header X-Forwarded-For $remote_addr; ship/deploy/nginx/tls.conf is an example.',
      ),
    ];
  if (!isTrusted && forwarded !== forged)
    return [
      fault(
        `Calls through ${gatewayUrl} come from ${peer}, which TRUSTED_PROXIES does not list.`,
        all,
        `If that is your proxy, add ${peer} or its network to TRUSTED_PROXIES of the gateways and portals.`,
      ),
    ];
  // Without a proxy, the header of the doctor itself arrives.
  const isDirect = new URL(gatewayUrl).port === String(gatewayPort);
  if (isTrusted && forwarded === forged && !isDirect)
    return [
      fault(
        `The proxy ${peer} in front of ${gatewayUrl} passes X-Forwarded-For on as callers send it.`,
        'Any caller can pretend another address: limits and address lists of keys do nothing.',
        'Let it set the header, or add the address of its caller at the end: in nginx proxy_set_header X-Forwarded-For $remote_addr.',
      ),
    ];
  return [];
}

/** The API whose callers may send the most. */
async function examineGatewayBody(
  { gateway }: Installation,
  catalog: Catalog,
  pathOf: (product: Product) => string,
): Promise<Finding[]> {
  const limitOf = (product: Product) => product.gateway.maxBodyBytes ?? gateway.maxBodyBytes ?? 0;
  const product = catalog.products.toSorted((one, other) => limitOf(other) - limitOf(one))[0];
  if (product === undefined) return [];
  const means = `Larger calls of ${product.id} are refused by what is in front, not in the form that its documentation says.`;
  return examineBody(pathOf(product), limitOf(product), gateway.gatewayUrl ?? '', means);
}

async function examineBody(url: string, bytes: number, front: string, means: string): Promise<Finding[]> {
  const { status, isOurs } = await post(url, bytes);
  if (status !== 413 || isOurs) return [];
  return [
    fault(
      `What is in front of ${front} refuses a body of ${bytes} bytes, which Octroi takes.`,
      means,
      'Raise its limit on bodies: in nginx client_max_body_size; ship/deploy/nginx/tls.conf is an example.',
    ),
  ];
}

async function examineHead({ gateway }: Installation, url: string): Promise<Finding[]> {
  const { maxHeadBytes = 0, gatewayUrl = '' } = gateway;
  const headers: OutgoingHttpHeaders = {};
  const bytes = maxHeadBytes - headRoomBytes;
  for (let left = bytes, index = 0; left > 0; left -= headerBytes, index += 1)
    headers[`x-octroi-doctor-${index}`] = 'x'.repeat(Math.max(1, Math.min(left, headerBytes) - 30));
  const { status, isOurs } = await post(url, 0, headers);
  if (isOurs || status === undefined || ![400, 413, 414, 431, 494, 502].includes(status)) return [];
  return [
    warning(
      `What is in front of ${gatewayUrl} refuses ${bytes} bytes of headers with ${status}, which the gateway takes.`,
      'Calls with many headers, such as those of tracing and of signed requests, fail.',
      `Raise its limit (in nginx large_client_header_buffers, in HAProxy tune.bufsize), or lower MAX_HEAD_BYTES.`,
    ),
  ];
}

async function examineWait(
  { gateway }: Installation,
  catalog: Catalog,
  pathOf: (product: Product) => string,
  liveKey: string,
): Promise<Finding[]> {
  const waitOf = (product: Product) => product.gateway.timeoutMs ?? gateway.upstreamTimeoutMs ?? 0;
  const product = catalog.products.toSorted((one, other) => waitOf(other) - waitOf(one))[0];
  if (product === undefined) return [];
  const begun = performance.now();
  const arrived = await arrivedAs(pathOf(product), liveKey, waitOf(product)).catch(() => undefined);
  if (typeof arrived === 'object') return [];
  const seconds = Math.round((performance.now() - begun) / 1000);
  return [
    fault(
      `What is in front of ${gateway.gatewayUrl ?? ''} gives up after ${seconds} s${arrived === undefined ? '' : ` with ${arrived}`}; ${product.id} may take ${waitOf(product) / 1000} s.`,
      'Callers get an error of the proxy for calls that the API still answers, and that are counted.',
      'Let it wait longer than the slowest API may take (UPSTREAM_TIMEOUT_MS, gateway.timeoutMs): in nginx proxy_read_timeout.',
    ),
  ];
}

/** A call without a key. The first response counts, also one before the body is sent; `isOurs`: of a gateway or portal. */
function post(
  url: string,
  bytes: number,
  headers: OutgoingHttpHeaders = {},
): Promise<{ status?: number | undefined; isOurs: boolean }> {
  return new Promise((resolve) => {
    const none = () => resolve({ isOurs: false });
    const request = url.startsWith('https:') ? httpsRequest : httpRequest;
    const call = request(
      url,
      {
        method: 'POST',
        agent: false,
        rejectUnauthorized: false,
        headers: { ...headers, 'content-type': 'application/json', 'content-length': bytes },
      },
      ({ statusCode: status, headers: { 'content-type': type = '' } }) => {
        resolve({ status, isOurs: /^application\/(?:problem\+)?json/.test(type) });
        call.destroy();
      },
    );
    // What refuses nothing waits for the body.
    call.setTimeout(replyTimeoutMs, () => {
      none();
      call.destroy();
    });
    call.on('error', none);
    call.flushHeaders();
    if (bytes <= mostSentBytes) call.end(Buffer.alloc(bytes, 0x20));
  });
}
