import { execFile } from 'node:child_process';
import { createHash, type KeyObject, verify, X509Certificate } from 'node:crypto';
import { reasonOf } from '#shared/platform/reason.ts';
import {
  certificateFacts,
  requireKeyKind,
  type SigningCertificate,
  UnusableCertificate,
} from './signing-certificate.ts';
import { KeyFault, type SigningKey } from './signing-key.ts';

/** A token that hangs is given up. */
const timeoutMs = 20_000;
/** After a failure the next documents don't wait for the token for this long. */
const pauseMs = 60_000;

/** A key on a PKCS #11 token; the token as arguments of OpenSC's `pkcs11-tool`. */
interface TokenKey {
  token: string[];
  /** Of its certificate and its key alike; the id decides where it is given. */
  key: { id: string; label: string };
}

export const isTokenUri = (text: string): boolean => text.startsWith('pkcs11:');

/** Reads `pkcs11:token=…;object=…;id=%01?module-path=/….so` (RFC 7512). Throws UnusableCertificate. */
export function parseTokenUri(uri: string): TokenKey {
  const [path = '', query = ''] = uri.slice('pkcs11:'.length).split('?');
  const named = new Map(
    [...path.split(';'), ...query.split('&')].map((each) => {
      const [name = '', value = ''] = each.split('=');
      return [name, value] as const;
    }),
  );
  const textOf = (name: string): string => decodeURIComponent(named.get(name) ?? '');
  const module = textOf('module-path');
  const id = Buffer.from((named.get('id') ?? '').replaceAll('%', ''), 'hex').toString('hex');
  if (module === '' || textOf('token') === '' || (id === '' && textOf('object') === ''))
    throw new UnusableCertificate(
      'SIGNING_CERTIFICATE must name the token, the key and the module: pkcs11:token=NAME;object=LABEL?module-path=/path/to/module.so',
    );
  return {
    token: ['--module', module, '--token-label', textOf('token')],
    key: { id, label: textOf('object') },
  };
}

/** Runs OpenSC's tool in a process of its own: a module of a vendor can hang or crash. `pin` is never on its command line. */
function runTool(args: readonly string[], { input, pin }: { input?: Buffer; pin?: string } = {}): Promise<Buffer> {
  const env = { ...process.env, ...(pin !== undefined && { OCTROI_TOKEN_PIN: pin }) };
  return new Promise((resolve, reject) => {
    const options = { env, timeout: timeoutMs, encoding: 'buffer', killSignal: 'SIGKILL' } as const;
    const child = execFile('pkcs11-tool', [...args], options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      if ('code' in error && error.code === 'ENOENT')
        return reject(new KeyFault('pkcs11-tool is not installed (Debian: apt-get install opensc)'));
      const lines = stderr.toString().trim().split('\n');
      const said = lines.filter((line) => !/^(Using |Aborting)/.test(line)).join(' ');
      if (error.killed) return reject(new KeyFault(`the token did not respond within ${timeoutMs / 1000} seconds`));
      reject(new KeyFault(said || `pkcs11-tool ended: ${error.signal ?? error.code ?? 'no reason'}`));
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
  });
}

/** Reads the certificates of a token; its PIN is not needed for that. Throws UnusableCertificate. */
export async function readTokenCertificate(uri: string, pin: string): Promise<SigningCertificate> {
  try {
    const { token, key } = parseTokenUri(uri);
    const listed = (await runTool([...token, '--list-objects', '--type', 'cert'])).toString().split(/^Certificate /m);
    const objects = listed.map((text) => ({ label: fieldIn(text, 'label'), id: fieldIn(text, 'ID') }));
    const named = objects.find(({ label, id }) => id !== '' && (key.id === '' ? label === key.label : id === key.id));
    if (!named) throw new UnusableCertificate('SIGNING_CERTIFICATE: the token has no certificate of this name.');
    const read = async (id: string) =>
      new X509Certificate(await runTool([...token, '--read-object', '--type', 'cert', '--id', id]));
    const own = await read(named.id);
    requireKeyKind(own.publicKey);
    const others: X509Certificate[] = [];
    for (const { id } of objects) if (id !== '' && id !== named.id) others.push(await read(id));
    const chain = [own];
    let next = issuerOf(own, others);
    while (next && !chain.includes(next)) {
      chain.push(next);
      next = issuerOf(next, others);
    }
    return { key: keyOnToken([...token, '--id', named.id], own.publicKey, pin), ...certificateFacts(chain) };
  } catch (error) {
    if (error instanceof UnusableCertificate) throw error;
    throw new UnusableCertificate(`SIGNING_CERTIFICATE: the token can't be read: ${reasonOf(error)}.`);
  }
}

const fieldIn = (text: string, name: string): string => new RegExp(`^ *${name}: *(.*)$`, 'm').exec(text)?.[1] ?? '';

const issuerOf = (certificate: X509Certificate, others: readonly X509Certificate[]): X509Certificate | undefined =>
  others.find((other) => certificate.checkIssued(other));

/**
 * A key that never leaves its token, which signs one document at a time. A refused PIN is not tried again until the portal starts anew, because
 * a token locks itself after a few.
 */
function keyOnToken(place: readonly string[], publicKey: KeyObject, pin: string): SigningKey {
  const kind = publicKey.asymmetricKeyType === 'rsa' ? 'rsa' : 'ec';
  let fault: string | undefined;
  let pausedUntil = 0;
  let last: Promise<unknown> = Promise.resolve();

  const signNow = async (data: Buffer): Promise<Buffer> => {
    if (performance.now() < pausedUntil) throw new KeyFault(fault);
    const how =
      kind === 'rsa' ? ['--mechanism', 'SHA256-RSA-PKCS'] : ['--mechanism', 'ECDSA', '--signature-format', 'openssl'];
    const input = kind === 'rsa' ? data : createHash('sha256').update(data).digest();
    try {
      const args = [...place, '--login', '--pin', 'env:OCTROI_TOKEN_PIN', '--sign', ...how];
      const signature = await runTool(args, { input, pin });
      // Another key may have the same name, and a vendor's module may print more than the signature.
      if (!verify('sha256', data, publicKey, signature))
        throw new KeyFault('the signature of the token is not by the key of its certificate');
      fault = undefined;
      return signature;
    } catch (error) {
      fault = reasonOf(error);
      pausedUntil = /CKR_PIN/.test(fault) ? Infinity : performance.now() + pauseMs;
      throw error;
    }
  };

  return {
    kind,
    sign: (data) => {
      const signing = last.then(() => signNow(data));
      last = signing.catch(() => undefined);
      return signing;
    },
    fault: () => (performance.now() < pausedUntil ? fault : undefined),
  };
}
