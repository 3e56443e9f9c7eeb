import { NodeCompiler, PdfStandard } from '@myriaddreamin/typst-ts-node-compiler';
import QRCode from 'qrcode';
import { z } from 'zod';
import { projectFolder } from '#platform/project-folder.ts';
import { fontFolders } from './fonts.ts';

let compiler: NodeCompiler | undefined;

/**
 * Renders a document as PDF/A-2a (ISO 19005-2), for archives and assistive technology; the same data gives the same bytes. `data` is a `DocumentPaper` as JSON, which
 * the template only sets as text. It blocks its thread in native code (15 ms to 1 s of CPU time), so only a render worker calls it.
 * Throws when the template cannot be compiled with this data.
 */
export async function renderPdf(data: string): Promise<Buffer> {
  const input = await withQrCode(data);
  compiler ??= NodeCompiler.create({
    workspace: projectFolder('paper'),
    fontArgs: [{ fontPaths: [...fontFolders] }],
  });
  try {
    const document = { mainFilePath: projectFolder('paper', 'document.typ'), inputs: { data: input } };
    const options = { creationTimestamp: 0 };
    try {
      return compiler.pdf(document, { ...options, pdfStandard: PdfStandard.A_2a });
    } catch {
      // PDF/A refuses characters that no font has, such as an emoji in a name; an ordinary PDF shows an empty box.
      return compiler.pdf(document, options);
    }
  } finally {
    // Typst caches every layout and never evicts by itself: 1 MB for a small document, 50 MB for 500 lines.
    compiler.evictCache(0);
  }
}

const registered = z.looseObject({ registration: z.looseObject({ signedQrCode: z.string() }).nullable() });

/** The data with the QR code as an SVG. Drawing one takes up to a tenth of a second. */
async function withQrCode(data: string): Promise<string> {
  const { registration, ...paper } = registered.parse(JSON.parse(data));
  if (registration === null) return data;
  const qr = await QRCode.toString(registration.signedQrCode, { type: 'svg', errorCorrectionLevel: 'L', margin: 0 });
  return JSON.stringify({ ...paper, registration: { ...registration, qr } });
}
