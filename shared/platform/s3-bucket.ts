import { AwsClient } from 'aws4fetch';
import { readText } from './read-response.ts';

/** An address such as https://s3.ap-south-1.amazonaws.com/bucket/folder, with a key that may work there. */
export interface S3Account {
  url: string;
  region: string;
  keyId: string;
  secret: string;
}

/** The settings of an account, as `backupS3…` and `documentsS3…`. */
interface S3Settings {
  keyId: string | undefined;
  secret: string | undefined;
  region: string | undefined;
}

/** The store refused, or its address can't be used; the message says why. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
  /** Of the response; undefined without one. */
  readonly status: number | undefined;

  constructor(message: string, status?: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

export const isAddress = (place: string): boolean => /^https?:\/\//.test(place);

/** `settingPrefix`: of the settings that a fault names, such as BACKUP. */
export function s3AccountOf(url: string, { keyId, secret, region }: S3Settings, settingPrefix: string): S3Account {
  const { username, password } = new URL(url);
  const [keyName, secretName] = [`${settingPrefix}_S3_KEY_ID`, `${settingPrefix}_S3_SECRET`];
  if (username !== '' || password !== '')
    throw new StoreFault(`The address of a store has neither user nor password: set ${keyName} and ${secretName}.`);
  if (keyId === undefined || secret === undefined) throw new StoreFault(`${url} needs ${keyName} and ${secretName}.`);
  return { url, region: region ?? 'us-east-1', keyId, secret };
}

export interface S3Bucket {
  /** Without a folder. */
  url: string;
  /** What the names of all objects begin with: nothing, or the folder. */
  prefix: string;
  addressOf: (name: string) => string;
  /** Throws a StoreFault for every response but a success. */
  ask: (method: string, address: string, body?: Buffer, signal?: AbortSignal) => Promise<Response>;
  /** The objects whose names begin so, by their names. `timeoutMs`: of each page. */
  list: (begin: string, timeoutMs?: number) => Promise<StoredObject[]>;
}

interface StoredObject {
  name: string;
  bytes: number;
  at: Date;
}

/**
 * Requests to an S3-compatible store, by path-style addresses, which all of them understand (Amazon S3 API reference, Signature Version 4).
 * Each body is signed with its hash, so that the store refuses one that was damaged on the way.
 */
export function openBucket({ url, region, keyId, secret }: S3Account): S3Bucket {
  const client = new AwsClient({ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, retries: 4 });
  const [, origin = '', bucket = '', folder = ''] = /^(https?:\/\/[^/]+)\/([^/]+)\/?(.*?)\/*$/.exec(url) ?? [];
  if (bucket === '') throw new StoreFault(`${url} needs the name of a bucket: https://host/bucket/folder`);
  const prefix = folder === '' ? '' : `${folder}/`;
  const bucketUrl = `${origin}/${bucket}`;

  const ask = async (method: string, address: string, body?: Buffer, signal?: AbortSignal): Promise<Response> => {
    const headers = { 'x-amz-content-sha256': await hashOf(body) };
    const request = { method, headers, redirect: 'error', signal: signal ?? null } as const;
    const response = await client
      .fetch(address, { ...request, ...(body !== undefined && { body: new Uint8Array(body) }) })
      .catch((cause: unknown) => {
        throw new StoreFault(`The store at ${bucketUrl} can't be reached: ${networkReason(cause)}.`, undefined, {
          cause,
        });
      });
    if (response.ok) return response;
    // Whatever else it may be, it was refused.
    const text = await readXml(response).catch(() => '');
    const reason = [tagIn(text, 'Code'), tagIn(text, 'Message')].filter((part) => part !== '').join(': ');
    throw new StoreFault(
      `The store at ${bucketUrl} refused (${response.status}): ${reason || 'without a reason'}`,
      response.status,
    );
  };

  const list = async (begin: string, timeoutMs?: number): Promise<StoredObject[]> => {
    const found: StoredObject[] = [];
    let next = '';
    do {
      const query = `list-type=2&prefix=${encodeURIComponent(prefix + begin)}${next && `&continuation-token=${encodeURIComponent(next)}`}`;
      const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
      const text = await readXml(await ask('GET', `${bucketUrl}?${query}`, undefined, signal));
      for (const [, item = ''] of text.matchAll(/<Contents>(.*?)<\/Contents>/gs)) {
        const name = tagIn(item, 'Key').slice(prefix.length);
        found.push({ name, bytes: Number(tagIn(item, 'Size')), at: new Date(tagIn(item, 'LastModified')) });
      }
      next = tagIn(text, 'NextContinuationToken');
    } while (next !== '');
    return found;
  };

  return { url: bucketUrl, prefix, addressOf: (name) => `${bucketUrl}/${prefix}${name}`, ask, list };
}

/** The most is a page of a list: 1,000 names of at most 1,024 bytes. */
const maxXmlBytes = 10_000_000;

/** What a store says of objects; what is in them is read otherwise. */
export const readXml = (response: Response): Promise<string> => readText(response, maxXmlBytes);

/** `fetch` says only that it failed; the system says why. */
function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

async function hashOf(body: Buffer | undefined): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', new Uint8Array(body ?? []))).toString('hex');
}

/** The text of the first element of this name. The names that we ask for have no characters that XML writes in another way. */
export function tagIn(xml: string, name: string): string {
  return (
    new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&') ?? ''
  );
}
