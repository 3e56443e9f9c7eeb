import { NodeCompiler, PdfStandard } from '@myriaddreamin/typst-ts-node-compiler';
import QRCode from 'qrcode';
import { z } from 'zod';
import { printed } from '#shared/domain/printable.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { fontFamilies, fontFolders } from './fonts.ts';

let compiler: NodeCompiler | undefined;

/**
 * Renders a document as PDF/A-2a (ISO 19005-2), for archives and assistive technology; the same data gives the same bytes. `data` is a `DocumentPaper` as JSON, which
 * the template only sets as text. It blocks its thread in native code (15 ms to 1 s of CPU time), so only a render worker calls it.
 * Throws when the template cannot be compiled with this data.
 */
export async function renderPdf(data: string): Promise<Buffer> {
  const input = JSON.stringify(await preparedOf(data));
  compiler ??= createCompiler();
  try {
    const document = { mainFilePath: projectFolder('shared', 'paper', 'document.typ'), inputs: { data: input, fonts } };
    const options = { creationTimestamp: 0 };
    try {
      return compiler.pdf(document, { ...options, pdfStandard: PdfStandard.A_2a });
    } catch {
      // A logo may draw what PDF/A refuses; an ordinary PDF is better than none.
      return compiler.pdf(document, options);
    }
  } finally {
    // Typst caches every layout and never evicts by itself: 1 MB for a small document, 50 MB for 500 lines.
    compiler.evictCache(0);
  }
}

/** What `picture.typ` sets. */
export interface PictureTexts {
  title: string;
  /** Of the title, in points. */
  size: number;
  line: string;
  /** The provider's, and where it begins; null: it stands in the logo. */
  name: string;
  nameAt: number | null;
}

/** The words of a picture as an SVG of their outlines, which needs no fonts. It blocks its thread for some milliseconds. */
export function outlinesOf(texts: PictureTexts): string {
  compiler ??= createCompiler();
  try {
    const input = JSON.stringify(printedIn(texts));
    return compiler.plainSvg({
      mainFilePath: projectFolder('shared', 'paper', 'picture.typ'),
      inputs: { data: input, fonts },
    });
  } finally {
    compiler.evictCache(0);
  }
}

const fonts = fontFamilies.map(({ name }) => name).join(',');

/** It searches the machine's fonts too, unless this file says that there are none. */
function createCompiler(): NodeCompiler {
  process.env['FONTCONFIG_FILE'] = projectFolder('shared', 'paper', 'fonts.conf');
  return NodeCompiler.create({
    workspace: projectFolder('shared', 'paper'),
    fontArgs: [{ fontPaths: [...fontFolders] }],
  });
}

const parsed = z.looseObject({
  brand: z.unknown().optional(),
  registration: z.looseObject({ signedQrCode: z.string() }).nullable(),
});

/** The data with the QR code as an SVG, which takes up to a tenth of a second. */
async function preparedOf(data: string): Promise<unknown> {
  const { brand, registration, ...paper } = parsed.parse(JSON.parse(data));
  const texts = { ...printedIn(paper), ...(brand !== undefined && { brand }) };
  if (registration === null) return { ...texts, registration };
  const qr = await QRCode.toString(registration.signedQrCode, { type: 'svg', errorCorrectionLevel: 'L', margin: 0 });
  return { ...texts, registration: { ...registration, qr } };
}

/**
 * All texts with a substitute for what no font has. Such names are refused where they are entered, but what was stored before must have its
 * document too, and PDF/A has no empty boxes.
 */
const printedIn = (value: object): object =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, printedEach(each)]));

function printedEach(value: unknown): unknown {
  if (typeof value === 'string') return printed(value);
  if (Array.isArray(value)) return value.map(printedEach);
  return typeof value === 'object' && value !== null ? printedIn(value) : value;
}
