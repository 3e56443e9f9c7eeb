import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** As RFC 3986 encodes, which Amazon asks for: also ! ' ( ) *. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (each) => `%${each.codePointAt(0)?.toString(16).toUpperCase()}`);

/**
 * Is a request signed with this key (AWS Signature Version 4, https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html)?
 * Returns S3's error code, or undefined when it is.
 */
export function signatureFault(
  request: IncomingMessage,
  body: Buffer,
  { keyId, secret, region }: { keyId: string; secret: string; region: string },
  now: number,
): string | undefined {
  const header = (name: string): string => String(request.headers[name] ?? '').trim();
  const [, credential = '', signedNames = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    ) ?? [];
  const [accessKey = '', day = '', signedRegion = '', service = '', end = ''] = credential.split('/');
  if (accessKey !== keyId) return 'InvalidAccessKeyId';
  if (signedRegion !== region || service !== 's3' || end !== 'aws4_request') return 'AuthorizationHeaderMalformed';
  const at = header('x-amz-date');
  const [, year, month, date, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(at) ?? [];
  const sentAt = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`);
  if (!(Math.abs(now - sentAt) <= 15 * 60_000) || !at.startsWith(day)) return 'RequestTimeTooSkewed';
  if (header('x-amz-content-sha256') !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = signedNames.split(';');
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.includes(name))) return 'AccessDenied';

  const url = new URL(request.url ?? '/', 'http://store');
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).toSorted();
  const canonical = [
    request.method ?? '',
    url.pathname,
    query.join('&'),
    ...names.map((name) => `${name}:${header(name).replaceAll(/ +/g, ' ')}`),
    '',
    signedNames,
    header('x-amz-content-sha256'),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, day), region));
  const wanted = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n'));
  return timingSafeEqual(wanted, Buffer.from(signature, 'hex')) ? undefined : 'SignatureDoesNotMatch';
}
