import { withoutHidden } from './hidden-characters.ts';

/** Below the 255 bytes of common file systems, so that a prefix or a counter fits. */
const maxBytes = 200;

/** Windows opens a device by these names, whatever follows the dot. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(?=\s*(\.|$))/i;

const beginOf = (text: string, bytes: number): string =>
  text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);

/**
 * A name that every system can store and no system takes for a path, a device or another file type. Names from outside go through it wherever
 * they leave: in a ZIP, as the name of a file, as an attachment, in a header. Usual names stay as they are.
 */
export function safeFileName(name: string): string {
  const plain = withoutHidden(name.normalize())
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[/\\<>:"|?*]/g, '-')
    .replaceAll(/^[. ]+|(?<![. ])[. ]+$/g, '');
  const extension = /\.[\w-]{1,10}$/.exec(plain)?.[0] ?? '';
  const stem = beginOf(plain.slice(0, plain.length - extension.length), maxBytes - extension.length);
  return `${stem}${extension}`.replace(/(?<![. ])[. ]+$/, '').replace(devices, '_$1') || 'file';
}

/** The header that names a response's file (RFC 6266); a name outside ASCII is there twice, for old clients too. */
export function contentDisposition(kind: 'attachment' | 'inline', name: string): string {
  const safe = safeFileName(name);
  const ascii = safe.replaceAll(/[^\u0020-\u007e]/gu, '_');
  if (ascii === safe) return `${kind}; filename="${safe}"`;
  const encoded = encodeURIComponent(safe).replaceAll(/['()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
