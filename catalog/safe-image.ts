import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import sanitizeHtml from 'sanitize-html';
import { drawnElements } from '#catalog/drawn-elements.ts';
import { readRegularFile } from '#shared/platform/read-regular-file.ts';

/** An image of the provider's, checked and safe to serve. */
export interface SafeImage {
  type: 'image/svg+xml' | 'image/png' | 'image/webp';
  content: Buffer;
  width: number;
  height: number;
  /** Of its content: it changes when the image does. */
  hash: string;
}

/** The image can't be used; the message says what to do. */
export class UnfitImage extends Error {}

const types = { svg: 'image/svg+xml', png: 'image/png', webp: 'image/webp' } as const;
const maxPixels = 4096;
const maxElements = 5000;
const mostRead = 64 * 1024 * 1024;

/** Reads an SVG, PNG or WebP file. Throws UnfitImage if it is something else, too large, or can't be read. */
export function readSafeImage(path: string, maxBytes: number): SafeImage {
  return safeImage(path, contentOf(path), maxBytes);
}

function contentOf(path: string): Buffer | undefined {
  try {
    return readRegularFile(path, mostRead);
  } catch {
    return undefined;
  }
}

/** Checks an image that has been read; `content` is undefined if there is no such file. Throws UnfitImage. */
export function safeImage(path: string, content: Buffer | undefined, maxBytes: number): SafeImage {
  if (content === undefined) throw new UnfitImage(`there is no file ${path} that can be read`);
  if (content.length > maxBytes) {
    const size = `${Math.ceil(content.length / 1024)} KB`;
    throw new UnfitImage(`${path} has ${size}. Make it smaller: at most ${Math.floor(maxBytes / 1024)} KB.`);
  }
  const { kind, width, height } = measured(path, content);
  if (width > maxPixels || height > maxPixels)
    throw new UnfitImage(`${path} has ${width} × ${height} pixels. Scale it down: at most ${maxPixels} on each side.`);
  const safe = kind === 'svg' ? sanitizedSvg(path, content) : content;
  const hash = createHash('sha256').update(safe).digest('hex').slice(0, 16);
  return { type: types[kind], content: safe, width, height, hash };
}

function measured(path: string, content: Buffer): { kind: keyof typeof types; width: number; height: number } {
  try {
    const { type, width, height } = imageSize(content);
    if ((type === 'svg' || type === 'png' || type === 'webp') && width > 0 && height > 0)
      return { kind: type, width, height };
  } catch {
    // Told below.
  }
  throw new UnfitImage(`${path} is no SVG (with a size or a viewBox), PNG or WebP image. Save it as one of these.`);
}

const shapes = ['circle', 'ellipse', 'g', 'line', 'path', 'polygon', 'polyline', 'rect', 'svg', 'text', 'tspan'];
const paints = ['clipPath', 'defs', 'desc', 'linearGradient', 'mask', 'pattern', 'radialGradient', 'stop', 'symbol'];
const names = ['title', 'use'];
const geometry = ['cx', 'cy', 'd', 'dx', 'dy', 'fx', 'fy', 'height', 'points', 'r', 'rx', 'ry', 'width', 'x', 'y'];
const ends = ['x1', 'x2', 'y1', 'y2', 'viewBox', 'preserveAspectRatio', 'transform', 'offset', 'id', 'xmlns'];
const painting = ['fill', 'fill-*', 'stroke', 'stroke-*', 'color', 'opacity', 'clip-*', 'mask', 'stop-*', 'gradient*'];
const writing = [
  'font-*',
  'text-anchor',
  'letter-spacing',
  'patternUnits',
  'maskUnits',
  'clipPathUnits',
  'spreadMethod',
];

/** Functions that paint and move; CSS has others that load a file, and escapes that spell them otherwise. */
const functions = new Set(['matrix', 'rotate', 'scale', 'skewx', 'skewy', 'translate', 'hsl', 'hsla', 'rgb', 'rgba']);

/** Names nothing outside the file, however it is spelled. */
function isInside(value: string): boolean {
  if (/\\|\/\*/.test(value)) return false;
  const calls = [...value.matchAll(/([\w-]*)\s*\(\s*([^)]*)/g)];
  return calls.every(([, name = '', argument = '']) =>
    name.toLowerCase() === 'url' ? /^(['"]?)#[\w-]+\1\s*$/.test(argument) : functions.has(name.toLowerCase()),
  );
}

/** Shapes, paints and texts only: no scripts, styles, events, embedded documents, or addresses outside the file. */
function sanitizedSvg(path: string, content: Buffer): Buffer {
  const drawing = content.toString('utf8');
  if (/<style[\s>]/i.test(drawing))
    throw new UnfitImage(`${path} has a style sheet. Save it with presentation attributes (fill="…") instead.`);
  const clean = sanitizeHtml(drawing, {
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    allowedTags: [...shapes, ...paints, ...names],
    allowedAttributes: { '*': [...geometry, ...ends, ...painting, ...writing, 'href'] },
    nonTextTags: ['script', 'style', 'foreignObject', 'textarea', 'option', 'noscript'],
    transformTags: {
      '*': (tagName, attributes) => ({
        tagName,
        attribs: Object.fromEntries(
          Object.entries(attributes).flatMap(([name, value]): [string, string][] => {
            const isReference = name === 'href' || name === 'xlink:href';
            if (isReference) return /^#[\w-]+$/.test(value) ? [['href', value]] : [];
            return isInside(value) ? [[name, value]] : [];
          }),
        ),
      }),
    },
  }).trim();
  if (!/^<svg[\s>]/.test(clean))
    throw new UnfitImage(`${path} is no SVG image. Save it again as plain SVG from your drawing program.`);
  const elements = drawnElements(clean);
  if (elements > maxElements)
    throw new UnfitImage(
      `${path} draws ${Number.isFinite(elements) ? elements : 'endlessly many'} elements. Simplify it: at most ${maxElements}, each use of a symbol counted.`,
    );
  return Buffer.from(
    /^<svg[^>]*\sxmlns=/.test(clean) ? clean : clean.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'),
  );
}
