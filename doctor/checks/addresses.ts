import { connect as connectTls, type PeerCertificate } from 'node:tls';
import { z } from 'zod';
import { portalConfigElement, portalConfigSchema } from '#shared/contract/portal-config.ts';
import { type Check, fault, fine, type Finding, unchecked, warning } from '#doctor/finding.ts';
import { parseJson } from '#shared/platform/parse-json.ts';
import { reasonOf } from '#shared/platform/reason.ts';
import { type Installation, replyTimeoutMs } from '#doctor/installation.ts';
import { ask, jsonOf, textOf } from '#doctor/replies.ts';
import { sha256 } from '#server/crypto/ids.ts';

const localHost = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const isLocal = (url: string): boolean => localHost.test(new URL(url).hostname);

const nonceReply = z.object({ nonce: z.string() });

/** A nonce that the portal issues must be in our database: else another installation answers. */
export const portalAddress: Check = {
  name: 'portal-address',
  about: 'does the portal of this installation answer at PORTAL_URL, with these settings?',
  examine: async ({ portal, db }) => {
    const { portalUrl } = portal;
    if (portalUrl === undefined) return [unchecked('PORTAL_URL is not valid.')];
    let response: Response;
    try {
      response = await ask(`${portalUrl}/backend/account/sign-in-nonce`, { method: 'POST' });
    } catch (error) {
      return [
        fault(
          `Nothing answers at ${portalUrl}: ${reasonOf(error)}.`,
          'Nobody can sign in or pay, and Razorpay’s webhooks do not arrive.',
          'Start the portal; then look at DNS, the firewall and the proxy in front of it.',
        ),
      ];
    }
    const reply = nonceReply.safeParse(await jsonOf(response));
    if (!reply.success) {
      return [
        fault(
          `${portalUrl} answers with ${response.status}, and not as the portal does.`,
          'Another program, or the proxy itself, answers in place of the portal.',
          response.status >= 500
            ? 'Start the portal, and look at its log: it may have lost the database.'
            : 'Let the proxy pass every path to the portal, unchanged: ship/deploy/nginx/tls.conf is an example.',
        ),
      ];
    }
    if (db === undefined) return [unchecked(`A portal answers at ${portalUrl}; the database cannot be read.`)];
    const issued = await db
      .deleteFrom('sign_in_nonces')
      .where('nonce_hash', '=', sha256(reply.data.nonce))
      .executeTakeFirst();
    if (issued.numDeletedRows === 1n) {
      const others = await otherSettings(portalUrl, portal);
      return others.length > 0 ? others : [fine(`This portal answers at ${portalUrl}.`)];
    }
    return [
      fault(
        `The portal at ${portalUrl} works on another database than DATABASE_URL.`,
        'What is examined here is not what customers see.',
        'Run this with the settings of the portal, or correct its DATABASE_URL and restart it.',
      ),
    ];
  },
};

const shownConfig = portalConfigSchema.pick({ gatewayUrl: true, googleClientId: true, checkoutKeyId: true });

/** A portal goes on with the settings of its start, and its page says which they are. */
async function otherSettings(portalUrl: string, { gatewayUrl, googleClientId, razorpayKeyId }: Installation['portal']) {
  const page = await ask(`${portalUrl}/login`).then(textOf, () => '');
  const text = new RegExp(`id="${portalConfigElement}">(.*?)</script>`, 's').exec(page)?.[1] ?? '';
  const shown = shownConfig.safeParse(parseJson(text)).data;
  if (shown === undefined) return [];
  const names = [
    ...(shown.gatewayUrl === gatewayUrl ? [] : ['GATEWAY_URL']),
    ...(shown.googleClientId === googleClientId ? [] : ['GOOGLE_CLIENT_ID']),
    ...(shown.checkoutKeyId === razorpayKeyId ? [] : ['RAZORPAY_KEY_ID']),
  ];
  return names.map((name) =>
    fault(
      `The running portal has another ${name} than these settings.`,
      'What is examined here is not what customers see.',
      'Restart the portals after a change of the settings, or run this with the settings of the portal.',
    ),
  );
}

const gatewayHealth = z.object({ status: z.string(), faults: z.array(z.string()).default([]) });

export const gatewayAddress: Check = {
  name: 'gateway-address',
  about: 'does a healthy gateway answer at GATEWAY_URL?',
  examine: async ({ portal: { gatewayUrl } }) => {
    if (gatewayUrl === undefined) return [unchecked('GATEWAY_URL is not valid.')];
    const means = 'Calls of customers fail.';
    try {
      const response = await ask(`${gatewayUrl}/health`);
      const health = gatewayHealth.safeParse(await jsonOf(response));
      if (health.success && health.data.status === 'ok') return [fine(`A healthy gateway answers at ${gatewayUrl}.`)];
      if (health.success)
        return [
          fault(
            `The gateway at ${gatewayUrl} is failing: ${health.data.faults.join('; ')}.`,
            means,
            'Look at the gateway’s log; most often it has lost the database, or its disk is full.',
          ),
        ];
      return [
        fault(
          `${gatewayUrl} answers with ${response.status}, and not as the gateway does.`,
          means,
          'Let the proxy pass every path to the gateway, unchanged: ship/deploy/nginx/tls.conf is an example.',
        ),
      ];
    } catch (error) {
      return [
        fault(
          `Nothing answers at ${gatewayUrl}: ${reasonOf(error)}.`,
          means,
          'Start the gateway; then look at DNS, the firewall and the proxy in front of it.',
        ),
      ];
    }
  },
};

const dayMs = 86_400_000;

export const certificates: Check = {
  name: 'tls',
  about: 'the TLS certificates of PORTAL_URL and GATEWAY_URL',
  examine: async ({ portal: { portalUrl, gatewayUrl }, now }) => {
    const hosts = [portalUrl, gatewayUrl].filter((url) => url?.startsWith('https://')).map((url) => new URL(url ?? ''));
    if (hosts.length === 0) return [unchecked('No address begins with https://.')];
    return Promise.all([...new Map(hosts.map((url) => [url.host, url])).values()].map((url) => examineTls(url, now())));
  },
};

async function examineTls(url: URL, now: number): Promise<Finding> {
  const means = 'Browsers and programs of customers refuse the connection, and so does Razorpay with its webhooks.';
  try {
    const { refused, certificate } = await readCertificate(url);
    const ends = new Date(certificate.valid_to);
    const days = Math.floor((ends.getTime() - now) / dayMs);
    if (days < 0)
      return fault(
        `The certificate of ${url.host} ended on ${ends.toISOString()}.`,
        means,
        'Renew it and reload the proxy.',
      );
    if (refused !== undefined)
      return fault(
        `The certificate of ${url.host} is not trusted: ${refused}.`,
        means,
        'Use a certificate of a public authority for this name, with its whole chain (fullchain.pem).',
      );
    const found = `The certificate of ${url.host} is valid for ${days} more days.`;
    if (days > 21) return fine(found);
    return (days > 7 ? warning : fault)(
      found,
      `Then: ${means}`,
      'Renew it; with certbot: certbot renew --dry-run tells why it was not.',
    );
  } catch (error) {
    return fault(
      `No TLS at ${url.host}: ${reasonOf(error)}.`,
      means,
      'Let the proxy speak TLS there: ship/deploy/nginx/tls.conf is an example.',
    );
  }
}

function readCertificate(url: URL): Promise<{ refused: string | undefined; certificate: PeerCertificate }> {
  return new Promise((resolve, reject) => {
    const host = url.hostname.replaceAll(/^\[|\]$/g, '');
    const options = { host, port: Number(url.port || 443), rejectUnauthorized: false };
    const socket = connectTls(/^[\d.]+$|:/.test(host) ? options : { ...options, servername: host }, () => {
      const refused = socket.authorized ? undefined : String(socket.authorizationError);
      resolve({ refused, certificate: socket.getPeerCertificate() });
      socket.end();
    });
    socket.setTimeout(replyTimeoutMs, () => socket.destroy(new Error('no reply in time')));
    socket.once('error', reject);
  });
}

export const proxies: Check = {
  name: 'proxies',
  about: 'TRUSTED_PROXIES: whose X-Forwarded-For counts',
  examine: ({ portal: { trustedProxies, portalUrl } }) => {
    if (trustedProxies === undefined || portalUrl === undefined) return [unchecked('A setting is not valid.')];
    const everyone = trustedProxies.filter((network) => network.endsWith('/0'));
    if (everyone.length > 0)
      return [
        fault(
          `TRUSTED_PROXIES trusts everyone (${everyone.join(', ')}).`,
          'Any caller can pretend another address: limits and address lists of keys do nothing.',
          'List only the addresses or networks of your own proxies.',
        ),
      ];
    if (trustedProxies.length === 0 && portalUrl.startsWith('https://'))
      return [
        fault(
          'TRUSTED_PROXIES is empty, although a proxy must be in front of an https address.',
          'All callers count as one: the proxy. One of them uses up the limits of all, and address lists of keys refuse everyone.',
          'Set TRUSTED_PROXIES to the address or network from which your proxy connects.',
        ),
      ];
    return [
      fine(trustedProxies.length === 0 ? 'No proxy, and none is trusted.' : `Trusted: ${trustedProxies.join(', ')}.`),
    ];
  },
};

/** What Google says of origins: https, a name, no path (https://developers.google.com/identity/protocols/oauth2/javascript-implicit-flow#validation-rules). */
export const google: Check = {
  name: 'google',
  about: 'sign-in with Google: client id, origin, public keys',
  examine: async ({ portal, isProduction }: Installation) => {
    const { googleClientId, googleJwksUrl, portalUrl } = portal;
    if (googleClientId === undefined || googleJwksUrl === undefined || portalUrl === undefined)
      return [unchecked('A setting is missing or not valid.')];
    const findings: Finding[] = [];
    const means = 'Nobody can sign in.';
    if (!/^[\w-]+\.apps\.googleusercontent\.com$/.test(googleClientId))
      findings.push(
        fault(
          'GOOGLE_CLIENT_ID is no OAuth client id; its value is not shown, since it may be the client’s secret.',
          means,
          'Copy the client id of an OAuth client of the type “Web application”; it ends in .apps.googleusercontent.com.',
        ),
      );
    const origin = new URL(portalUrl);
    if (!isLocal(portalUrl) && (origin.protocol !== 'https:' || /^[\d.]+$|^\[/.test(origin.hostname)))
      findings.push(
        fault(
          `Google does not accept ${origin.origin} as an origin: it must begin with https:// and be a name.`,
          means,
          'Give the portal a name and TLS, and set PORTAL_URL to it.',
        ),
      );
    if (origin.pathname !== '/')
      findings.push(
        fault(
          `PORTAL_URL has a path (${origin.pathname}), which no origin has.`,
          'The portal is not served below a path.',
          `Serve the portal at ${origin.origin}, and set PORTAL_URL to that.`,
        ),
      );
    findings.push(await examineKeys(googleJwksUrl));
    if (findings.every(({ level }) => level === 'ok') && isProduction)
      return [fine(`Google’s keys are readable. ${origin.origin} must be a JavaScript origin of the client.`)];
    return findings;
  },
};

async function examineKeys(url: string): Promise<Finding> {
  const keys = await ask(url).then(jsonOf, (error: unknown) => reasonOf(error));
  if (z.object({ keys: z.array(z.unknown()).min(1) }).safeParse(keys).success)
    return fine('Google’s keys are readable.');
  return fault(
    `Google’s public keys cannot be read at ${url}${typeof keys === 'string' ? `: ${keys}` : ''}.`,
    'Nobody can sign in.',
    'Let the portal connect to www.googleapis.com on port 443, and leave GOOGLE_JWKS_URL unset.',
  );
}
